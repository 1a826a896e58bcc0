import type { HtmlTagDescriptor, Plugin } from 'vite'

/** The file of letters that every page shows; the one for extended Latin is loaded where it is needed. */
const FONT = /inter-latin-wght-normal-[^/]+\.woff2$/

/** Makes every page load Inter beside its styles. Otherwise it is asked for when the first text is drawn, after all scripts. */
export const preloadFont = (): Plugin => ({
  name: 'counterfoil:preload-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => FONT.test(file))
        .map(
          (file): HtmlTagDescriptor => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
            injectTo: 'head',
          }),
        ),
  },
})
