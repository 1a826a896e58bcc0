import { useRef } from 'react'
import { LinkButton } from '../ui/button/link-button.tsx'
import { PublicPage } from './public-page.tsx'

/** Shown at unknown paths to people who are not signed in, in the frame of the host's brand. */
export const NotFoundPage = () => {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <PublicPage
      title="Page not found"
      intro="There is nothing at this address. It may have been mistyped, or the page may have moved."
      headingRef={heading}
    >
      <div>
        <LinkButton href="/">Go to the start page</LinkButton>
      </div>
    </PublicPage>
  )
}
