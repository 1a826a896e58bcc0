import type { Claim, Verdict } from './claim.ts'

/** Names of others that the code does not use, and names that stand for any. */
const NOT_OURS: ReadonlySet<string> = new Set([
  'effective_io_concurrency',
  'ERR_UNKNOWN_FILE_EXTENSION',
  'execProtocolRaw',
  'faketime',
  'fonts-noto-cjk',
  'HTTPS_PROXY',
  'isX',
  'json_agg',
  'max_standby_streaming_delay',
  'MM.DD.YYYY',
  'NODE_USE_ENV_PROXY',
  'pg_last_xact_replay_timestamp',
  'toX',
  'xOf',
])
/** The sandbox puts these names together from a provider's. */
const COMPOSED = /^SANDBOX_[A-Z]+_WEBHOOK_(?:KEY|SECRET)$/

const CAPITALS = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/
const NAME = /^(?:[a-z][a-z\d]*(?:[-_][a-z\d]+)*|[A-Za-z$]+[a-z\d][A-Z]\w*)$/

/** Ends of the names of hosts and of an operator's files. */
const ELSEWHERE = /\.(?:com|net|io|au|json|csv|gz|ttc)$/

const isName = (text: string): boolean => CAPITALS.test(text) || NAME.test(text)

/** What is wrong with a setting, a table, a column, a function or a constant in backticks: the code uses each part of its name. */
export const checkName = ({ text }: Claim, words: ReadonlySet<string>, isOfOthers: boolean): Verdict => {
  const name = text.replace(/^([A-Z][A-Z_]+)=\S*$/, '$1').replace(/\(\)$/, '')
  const parts = name.split('.')
  if (!parts.every(isName) || ELSEWHERE.test(name) || NOT_OURS.has(name) || COMPOSED.test(name)) return null
  if (isOfOthers && !CAPITALS.test(name)) return null
  return parts.every((part) => words.has(part)) ? null : `the code knows no \`${text}\``
}
