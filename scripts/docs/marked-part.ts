/**
 * Replaces the part of a document between `<!-- NAME -->` and `<!-- /NAME -->`.
 * @throws Error when the document lacks the marks
 */
export const replaceMarkedPart = (document: string, name: string, part: string): string => {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the document lacks the marks ${begin} and ${end}`)
  return `${document.slice(0, from)}${begin}\n${part}\n${document.slice(to)}`
}
