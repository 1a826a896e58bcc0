/** The frame's URL with the page's colours as query parameters, which the frame's document does not have by itself. */
export const withPageStyle = (frameUrl: string): string => {
  const style = getComputedStyle(document.documentElement)
  const [text, surface, line] = ['--text', '--surface', '--control-line'].map((name) => style.getPropertyValue(name).trim())
  const url = new URL(frameUrl)
  url.searchParams.set('css_body', `color:${text};background:${surface};font:500 13px/20px Inter,system-ui,sans-serif`)
  url.searchParams.set(
    'css_textbox',
    `color:${text};background:${surface};border-color:${line};border-radius:8px;font-weight:400;font-size:16px`,
  )
  return url.href
}
