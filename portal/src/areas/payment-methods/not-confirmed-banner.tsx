import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Banner } from '../../ui/feedback/banner.tsx'

const NOT_CONFIRMED_TEXT = 'The confirmation was not completed. Nothing was saved.'

/** Shown after a return from the bank or the provider's page without a confirmation, by `redirect_status=failed` in the page's URL. */
export const NotConfirmedBanner = () => {
  const [query] = useSearchParams()
  const [isClosed, setClosed] = useState(false)
  if (isClosed || query.get('redirect_status') !== 'failed') return null
  return (
    <Banner tone="bad" onClose={() => setClosed(true)}>
      {NOT_CONFIRMED_TEXT}
    </Banner>
  )
}
