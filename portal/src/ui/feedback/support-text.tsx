import { createContext, type MouseEvent, use } from 'react'

const SUPPORT = /^(.*)(contact support)(.*)$/s

/** Where "contact support" leads: an address, or the id of the page's help as `#id`. Null where the brand has set no help. */
export const SupportHref = createContext<string | null>(null)

/** A text in which the words "contact support" are a link to the help; plain text where the brand has set no help. */
export const SupportText = ({ children: text }: { readonly children: string }) => {
  const href = use(SupportHref)
  const [, before, words, after] = SUPPORT.exec(text) ?? []
  if (href === null || words === undefined) return text
  return (
    <>
      {before}
      <a href={href} onClick={href.startsWith('#') ? focusTarget : undefined}>
        {words}
      </a>
      {after}
    </>
  )
}

/** Moves the focus to the link's target instead of following the link: the fragment of the address belongs to the screens, and stays. */
const focusTarget = (event: MouseEvent<HTMLAnchorElement>): void => {
  event.preventDefault()
  document.querySelector<HTMLElement>(event.currentTarget.hash)?.focus()
}
