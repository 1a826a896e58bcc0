import type { Card, Stored } from '@counterfoil/contract/payment-methods'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { safeRedirect } from '../../payments/safe-redirect.ts'
import { NAVIGATING } from '../../ui/form/use-submit.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { MethodRow, type MethodRowData } from './method-row.tsx'
import styles from './payment-methods.module.css'
import type { AddProps, EditCardProps } from '../../payments/providers/panel.ts'
import { RemoveDialog } from './remove-dialog.tsx'

interface MethodTileProps<Method> {
  readonly heading: string
  /** The label of the button that adds a method. */
  readonly addLabel: string
  readonly details: PaymentDetails
  readonly Add: ComponentType<AddProps>
  readonly Edit?: ComponentType<EditCardProps> | undefined
  readonly methods: UseQueryResult<Method[]>
  readonly rowOf: (method: Method) => MethodRowData
  readonly kind: 'card' | 'bank'
}

const PENDING_TEXT = 'Your bank account is being verified. It will be listed here once that is done.'

/** A list of saved methods, with buttons to add, edit and remove. */
export const MethodTile = <Method extends { id: string }>(props: MethodTileProps<Method>) => {
  const { heading, addLabel, details, Add, Edit, methods, rowOf, kind } = props
  const [dialog, setDialog] = useState<{ kind: 'add' | 'edit' | 'remove'; method?: Method } | null>(null)
  const [isPending, setPending] = useState(false)
  const close = (): void => setDialog(null)

  const handleSaved = (response: Stored): unknown => {
    if (response.status === 'requires_action') return redirectToConfirmation(response.redirectToUrl, details.scriptUrl)
    setPending(response.status === 'processing')
    close()
    return methods.refetch()
  }

  return (
    <Tile
      title={heading}
      aside={
        <Button kind="quiet" onPress={() => setDialog({ kind: 'add' })}>
          {addLabel}
        </Button>
      }
    >
      {isPending && (
        <Banner tone="good" onClose={() => setPending(false)}>
          {PENDING_TEXT}
        </Banner>
      )}
      <Rows
        {...props}
        onEdit={(method) => setDialog({ kind: 'edit', method })}
        onRemove={(method) => setDialog({ kind: 'remove', method })}
      />
      {dialog?.kind === 'add' && <Add details={details} onClose={close} onStored={handleSaved} />}
      {dialog?.kind === 'edit' && Edit && isCard(dialog.method) && <Edit card={dialog.method} onClose={close} />}
      {dialog?.kind === 'remove' && dialog.method && <RemoveDialog row={rowOf(dialog.method)} kind={kind} onClose={close} />}
    </Tile>
  )
}

type RowsProps<Method> = MethodTileProps<Method> & { onEdit: (method: Method) => void; onRemove: (method: Method) => void }

const Rows = <Method extends { id: string }>({ heading, methods, rowOf, kind, Edit, onEdit, onRemove }: RowsProps<Method>) => {
  if (methods.data === undefined) {
    return methods.isError ? (
      <Unavailable subject={heading} onRetry={() => void methods.refetch()} />
    ) : (
      <Spinner label={`Loading ${heading}`} />
    )
  }
  if (methods.data.length === 0) {
    return <p className={styles.empty}>{kind === 'card' ? 'No saved cards' : 'No saved bank accounts'}</p>
  }
  return methods.data.map((method) => (
    <MethodRow
      key={method.id}
      row={rowOf(method)}
      kind={kind}
      onEdit={Edit === undefined ? undefined : () => onEdit(method)}
      onRemove={() => onRemove(method)}
    />
  ))
}

const redirectToConfirmation = (target: string | null, scriptUrl: string | null): typeof NAVIGATING => {
  const url = safeRedirect(target, scriptUrl)
  if (url === null) throw new Error('The confirmation page of your bank cannot be opened. Please contact support.')
  location.assign(url)
  return NAVIGATING
}

const isCard = (method: unknown): method is Card => typeof method === 'object' && method !== null
