/** The payment providers by name. "authorize" and "pinch" are English words too, so they count only where they can be nothing else. */
const PROVIDER_NAME = /stripe(?!d)|moneris|nexio|ippay|bpoint|authorize\.net|'authorize'|\bauthorize:|'pinch'|\bpinch:/gi

/** Where a provider may be named. */
const ALLOWED_PATHS: readonly RegExp[] = [
  /^server\/src\/payments\/providers\/[a-z]+\//,
  /^server\/src\/payments\/providers\/registry\.ts$/,
  /^portal\/src\/payments\/providers\/[a-z]+\//,
  /^portal\/src\/payments\/providers\/(stored-methods-)?registry\.ts$/,
  /^sandbox\/src\/(stripe|authorize|ippay|moneris|pinch|nexio|bpoint)\//,
  /^sandbox\/src\/(providers|provider-names)\.ts$/, // lists every provider's stand-in
  /^contract\/src\/kit\/payments\/payment-type\.ts$/,
  /^contract\/src\/areas\/providers\//,
  /^scripts\/(layout|new-provider|mutants)\//,
  /^server\/src\/(demo|migrations)\//,
  /^server\/test\//,
  /^(e2e|bench)\//,
  /\.test\.tsx?$/,
]

/** Paths and field names of the API that the specification fixes; they may appear anywhere. */
const API_NAMES = /\bstripeCard\b|\bnexioCustomerDetails\b|\/v1\/ec\/(nexio|ippay|autorize|authorize|moneris|pinch|bpoint)\/[\w{}/-]*/g

/** Lines of code or comment that name a provider outside its own folders. */
export const providerLeaks = (path: string, text: string): string[] => {
  if (!/\.(tsx?|css)$/.test(path) || ALLOWED_PATHS.some((allowed) => allowed.test(path))) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      (line.replace(API_NAMES, '').match(PROVIDER_NAME) ?? []).map((name) => `${path}:${index + 1}: names the provider ${name}`),
    )
}
