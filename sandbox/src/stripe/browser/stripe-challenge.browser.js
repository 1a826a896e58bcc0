import { base } from './stripe-request.browser.js'

/** Shows the bank's page over this one until it says that it is done. */
export const challenge = (url) =>
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
    const before = document.activeElement
    const hear = ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== base.origin || data.kind !== 'authenticated') return
      removeEventListener('message', hear)
      dialog.remove()
      before?.focus?.()
      resolve()
    }
    addEventListener('message', hear)
    const address = new URL(url)
    address.host = base.host
    address.searchParams.set('frame', '1')
    frame.src = address.href
    dialog.append(frame)
    document.body.append(dialog)
    frame.focus()
  })
