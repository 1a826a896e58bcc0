/** The address of the frame with the page's colours, which its document does not have by itself. */
export const withPageStyle = (frameUrl: string): string => {
  const style = getComputedStyle(document.documentElement)
  const [text, surface, line] = ['--text', '--surface', '--control-line'].map((name) => style.getPropertyValue(name).trim())
  const url = new URL(frameUrl)
  url.searchParams.set('css_body', `color:${text};background:${surface};font-family:Inter,system-ui,sans-serif`)
  url.searchParams.set('css_textbox', `color:${text};background:${surface};border-color:${line}`)
  return url.href
}
