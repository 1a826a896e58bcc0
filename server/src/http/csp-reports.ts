import type { FastifyInstance } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { LocalRateLimiter } from '../rate-limits/rate-limits.ts'
import type { Clock } from '../kit/clock.ts'
import { CSP_REPORT_PATH } from './security-headers.ts'

const MAX_REPORT_BYTES = 16_384
/** The directives that are counted by name; a report comes from anybody, so all other names count as one. */
const DIRECTIVES: ReadonlySet<string> = new Set([
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'font-src',
  'connect-src',
  'frame-src',
  'form-action',
  'base-uri',
  'object-src',
  'require-trusted-types-for',
  'trusted-types',
])

/**
 * `POST /csp-reports`: what browsers report of the content security policy and of Trusted Types. It is counted in `/metrics` and not kept:
 * a report holds addresses of pages.
 */
export const registerCspReports = (
  app: FastifyInstance,
  { localLimiter, clock, metrics }: { localLimiter: LocalRateLimiter; clock: Clock; metrics: Registry },
): void => {
  const reports = new Counter({
    name: 'counterfoil_csp_reports_total',
    help: 'Violations of the content security policy that browsers reported, by directive',
    labelNames: ['directive'] as const,
    registers: [metrics],
  })
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json', 'application/json'],
      { parseAs: 'string', bodyLimit: MAX_REPORT_BYTES },
      (_request, body, done) => done(null, body),
    )
    scope.post(CSP_REPORT_PATH, { logLevel: 'silent' }, async ({ ip, body }, reply) => {
      localLimiter.consumeAddress('anonymous', ip, clock())
      for (const directive of directivesOf(String(body))) reports.inc({ directive: DIRECTIVES.has(directive) ? directive : 'other' })
      return reply.code(204).send()
    })
  })
}

const MAX_REPORTS = 20

/**
 * The names of the violated directives that a browser's report body holds, of at most `MAX_REPORTS` reports: one report (`report-uri`) or a
 * list (`report-to`). Empty where the text is neither; nothing throws for text that is not JSON.
 */
const directivesOf = (text: string): readonly string[] => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  return (Array.isArray(value) ? value : [value]).slice(0, MAX_REPORTS).flatMap((report) => {
    const { 'csp-report': old, body } = (report ?? {}) as { 'csp-report'?: Record<string, unknown>; body?: Record<string, unknown> }
    const directive = old?.['effective-directive'] ?? old?.['violated-directive'] ?? body?.['effectiveDirective']
    return typeof directive === 'string' ? [directive.split(' ', 1)[0] ?? ''] : []
  })
}
