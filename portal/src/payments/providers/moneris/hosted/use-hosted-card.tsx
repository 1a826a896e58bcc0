import type { CardFieldsStart } from '@counterfoil/contract/card-fields'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { ResourceStatus } from '../../../../ui/feedback/resource-status.tsx'
import { useResource } from '../../../../ui/use-resource.ts'
import { HostedFields } from './hosted-fields.tsx'
import { requestToken } from './request-token.ts'

/** A card in Moneris' own fields. */
interface HostedCard {
  /** The fields, or what stands in their place while they are loaded or cannot be. */
  readonly fields: ReactNode
  readonly isReady: boolean
  /** @throws ShownError with a text to show */
  readonly createToken: () => Promise<string>
}

/** A card in Moneris' own fields in a frame, started once; what is typed there never reaches this page. */
export const useHostedCard = (startCardFields: () => Promise<CardFieldsStart>, onFocus: () => void): HostedCard => {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  const [start] = useState(() => startCardFields)
  const load = useCallback(async () => (await start()).fields['frameUrl'], [start])
  const resource = useResource(load)
  return {
    fields:
      resource.state === 'ready' && resource.value !== undefined ? (
        <HostedFields frameUrl={resource.value} frame={frame} onLoad={() => setLoaded(true)} onFocus={onFocus} />
      ) : (
        <ResourceStatus resource={resource} subject="The card form" />
      ),
    isReady: isLoaded,
    createToken: () => requestToken(frame.current),
  }
}
