import { sandboxUrl } from './stripe-request.browser.js'

/** Shows the bank's page over this one until the customer has finished there. */
export const openChallenge = (url) =>
  new Promise((resolve) => {
    const dialog = document.createElement('div')
    dialog.setAttribute('role', 'dialog')
    dialog.setAttribute('aria-modal', 'true')
    dialog.setAttribute('aria-label', '3D Secure authentication')
    dialog.style.cssText =
      'position:fixed;inset:0;z-index:2147483647;background:rgb(0 0 0 / 60%);display:grid;place-items:center;padding:16px'
    const frame = document.createElement('iframe')
    frame.name = 'stripe-challenge-frame'
    frame.title = '3D Secure authentication'
    frame.style.cssText = 'border:0;border-radius:8px;background:#fff;width:min(100%,420px);height:min(100%,420px);color-scheme:normal'
    const previousFocus = document.activeElement
    const onMessage = ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== sandboxUrl.origin || data.kind !== 'authenticated') return
      removeEventListener('message', onMessage)
      dialog.remove()
      previousFocus?.focus?.()
      resolve()
    }
    addEventListener('message', onMessage)
    const frameUrl = new URL(url)
    frameUrl.host = sandboxUrl.host
    frameUrl.searchParams.set('frame', '1')
    frame.src = frameUrl.href
    dialog.append(frame)
    document.body.append(dialog)
    frame.focus()
  })
