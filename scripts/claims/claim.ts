/** Something that a document says, and the line where it stands. */
export interface Claim {
  readonly kind: 'code' | 'link' | 'shell' | 'sentence'
  readonly line: number
  readonly text: string
}

/** A sentence of a claim that is false, or null. */
export type Verdict = string | null

/** Parts that `npm run docs` writes hold no claims; the walk of the operating guide is written by hand. */
const GENERATED = /<!-- (?!walk )(\S+) -->[\s\S]*?<!-- \/\1 -->/g
const FENCE = /^\s*```(\w*)/
const CODE = /`([^`]+)`/g
const LINK = /\]\(([^)\s]+)\)/g

const blank = (part: string): string => part.replaceAll(/[^\n]/g, '')

/** A row of a table is one sentence, since its cells say the name and the value. */
const sentencesOf = (line: string): string[] => (line.startsWith('|') ? [line] : line.split(/(?<=[.!?]\)?)\s+(?=[A-Z`*[])/))

const claimsOfLine = (text: string, line: number): Claim[] => [
  ...[...text.matchAll(CODE)].map(([, code = '']): Claim => ({ kind: 'code', line, text: code.replaceAll(String.raw`\|`, '|').trim() })),
  ...[...text.replaceAll(CODE, '').matchAll(LINK)].map(([, target = '']): Claim => ({ kind: 'link', line, text: target })),
  ...sentencesOf(text).map((sentence): Claim => ({ kind: 'sentence', line, text: sentence })),
]

/** What a document says: in backticks, in links, in blocks of shell, and in its sentences. */
export const claimsOf = (document: string): readonly Claim[] => {
  const claims: Claim[] = []
  let [language, command]: [string | null, string] = [null, '']
  for (const [at, text] of document.replaceAll(GENERATED, blank).split('\n').entries()) {
    const fence = FENCE.exec(text)?.[1]
    if (fence !== undefined) language = language === null ? fence : null
    else if (language === null) claims.push(...claimsOfLine(text, at + 1))
    else if (language === 'sh') {
      command += text.replace(/\\$/, '')
      if (text.endsWith('\\')) continue
      claims.push({ kind: 'shell', line: at + 1, text: command })
      command = ''
    }
  }
  return claims
}
