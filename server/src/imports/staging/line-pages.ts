/**
 * Reads lines of a staging table page by page.
 * @param readPage reads at most `limit` lines that follow a line, in the order of lines
 */
export async function* linePages<T extends { readonly line: number }>(
  readPage: (after: number, limit: number) => Promise<T[]>,
  limit: number,
): AsyncGenerator<T[]> {
  for (let page = await readPage(0, limit); page.length > 0; page = await readPage(page.at(-1)?.line ?? 0, limit)) yield page
}
