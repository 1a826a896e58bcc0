import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, test } from 'vitest'
import { listCitusNodes } from '../../test/databases/citus.ts'
import { startTestMailbox } from '../../test/support/mailbox.ts'
import { ROLES } from '../db/roles.ts'

const citusUrl = process.env['TEST_CITUS_URL']
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PROGRAM = join(ROOT, 'server/bin/counterfoil.js')
const [, WALK = ''] = /<!-- walk -->([\s\S]*?)<!-- \/walk -->/.exec(readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8')) ?? []
/** The parts of the guide that are executed, in order: SQL for an administrator, or commands. */
const PARTS = [...WALK.matchAll(/^```(sql|sh)\n([\s\S]*?)^```$/gm)].map(([, language, text = '']) => ({
  language,
  lines: text.split('\n').filter((line) => line !== ''),
}))
const NAME = `counterfoil_guide_${process.pid}`

test.skipIf(citusUrl === undefined)(
  '[SCALE-08] every command of the guide, from a prepared node to a restore point',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'counterfoil-guide-'))
    const mailbox = await startTestMailbox()
    const nodes = await listCitusNodes(citusUrl ?? '')
    const [coordinator, first, second] = nodes
    if (coordinator === undefined || first === undefined || second === undefined) throw new Error('the guide needs two workers')
    const addressOf: Record<string, { host: string; port: number }> = {
      '10.0.0.1': coordinator,
      '10.0.0.2': first,
      '10.0.0.3': second,
      '10.0.0.4': { host: 'localhost', port: first.port },
    }
    const urlOn = ({ host, port }: { host: string; port: number }, user: string | null, database: string): string => {
      const url = new URL(citusUrl ?? '')
      url.host = `${host}:${port}`
      url.pathname = database
      if (user !== null) [url.username, url.password] = [user, '']
      return url.href
    }
    const here = (line: string): string =>
      Object.entries(addressOf)
        .reduce(
          (text, [address, { host, port }]) =>
            text.replaceAll(new RegExp(`'${address}'(, | and nodeport = )5432`, 'g'), `'${host}'$1${port}`),
          line,
        )
        .replaceAll(/\bcounterfoil\b/g, NAME)
    /** Runs SQL as an administrator, as psql does: one statement after the other, `\c` changes the database. */
    const runSql = async (node: { host: string; port: number }, lines: readonly string[], database: string): Promise<void> => {
      let client = new pg.Client({ connectionString: urlOn(node, null, database) })
      await client.connect()
      try {
        for (const line of lines.map(here)) {
          if (line.startsWith('\\c ')) {
            await client.end()
            client = new pg.Client({ connectionString: urlOn(node, null, line.slice(3)) })
            await client.connect()
          } else await client.query(line)
        }
      } finally {
        await client.end()
      }
    }
    const runCommand = async (line: string): Promise<void> => {
      const command = line.replace('npx counterfoil', `node ${PROGRAM}`)
      const env = { ...process.env, HOME: home, DATA_DIR: home, MAIL_URL: mailbox.url, DATABASE_URL: urlOn(coordinator, NAME, NAME) }
      await promisify(execFile)('sh', ['-c', command], { env }).catch((error: { stdout: string; stderr: string }) => {
        throw new Error(`${line}\n${error.stdout}${error.stderr}`)
      })
    }
    /** On other servers the roles stand already, made by somebody else. */
    const shareRoles = ROLES.flatMap((role) => [
      `do $$ begin create role ${role}; exception when duplicate_object then null; end $$`,
      `grant ${role} to ${NAME} with admin true, inherit false`,
    ])
    try {
      const [prepare, ...rest] = PARTS
      expect(rest.length).toBeGreaterThan(7)
      for (const node of [first, second, coordinator]) {
        await runSql(node, prepare?.lines ?? [], 'postgres')
        await runSql(node, shareRoles, 'postgres')
      }
      for (const { language, lines } of rest)
        if (language === 'sql') await runSql(coordinator, lines, NAME)
        else for (const line of lines) await runCommand(line)
    } finally {
      for (const node of nodes)
        await runSql(node, [`drop database if exists ${NAME} with (force)`, `drop owned by ${NAME}`, `drop role ${NAME}`], 'postgres')
      await mailbox.close()
      rmSync(home, { recursive: true })
    }
  },
  300_000,
)
