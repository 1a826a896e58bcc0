import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Banner } from '../../ui/feedback/banner.tsx'

const NOT_CONFIRMED_TEXT = 'The confirmation was not completed. Nothing was stored.'

/** Told to whoever comes back from the bank, or from the payment company's own page, without having confirmed. */
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
