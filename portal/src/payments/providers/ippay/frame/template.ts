const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/**
 * The URL of the frame in an HTML document of our server. Only the URL is used, so that nothing of the document can run here.
 * @throws Error where there is none, or it is of our own origin, which must not run in a frame that may run scripts
 */
export const frameUrlIn = (template: string, ourOrigin: string): string => {
  const [, src = ''] = /<iframe\b[^>]*? src="([^"]*)"/.exec(template) ?? []
  const url = new URL(src.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity))
  if (!/^https?:$/.test(url.protocol) || url.origin === ourOrigin) throw new Error('the frame is of another origin than it should be')
  return url.href
}
