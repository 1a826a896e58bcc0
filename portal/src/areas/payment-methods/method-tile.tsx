import type { Stored } from '@counterfoil/contract/payment-methods'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { methodsQuery } from '../../payments/methods.data.ts'
import type { MethodList, SavedMethod } from '../../payments/providers/panel.ts'
import { safeRedirect } from '../../payments/safe-redirect.ts'
import { NAVIGATING } from '../../ui/form/use-submit.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { MethodRow } from './method-row.tsx'
import styles from './payment-methods.module.css'
import { RemoveDialog } from './remove-dialog.tsx'

interface MethodTileProps<Method> {
  readonly details: PaymentDetails
  readonly list: MethodList<Method>
}

type OpenDialog<Method> =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit'; readonly method: Method }
  | { readonly kind: 'remove'; readonly method: SavedMethod }

const PENDING_TEXT = 'Your bank account is being verified. It will be listed here once that is done.'

/** A list of saved methods, with buttons to add, edit and remove. */
export const MethodTile = <Method,>({ details, list }: MethodTileProps<Method>) => {
  const { heading, addLabel, AddDialog, AddView, EditDialog } = list
  const methods = useQuery(methodsQuery(list))
  const [dialog, setDialog] = useState<OpenDialog<Method> | null>(null)
  const [isPending, setPending] = useState(false)
  const close = (): void => setDialog(null)

  const handleStored = (response: Stored): unknown => {
    if (response.status === 'requires_action') return redirectToConfirmation(response.redirectToUrl, details.scriptUrl)
    setPending(response.status === 'processing')
    close()
    return methods.refetch()
  }

  if (dialog?.kind === 'add' && AddView)
    return (
      <Tile title={heading}>
        <AddView onClose={close} />
      </Tile>
    )
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
      <Rows list={list} methods={methods} onOpen={setDialog} />
      {dialog?.kind === 'add' && AddDialog && <AddDialog details={details} onClose={close} onStored={handleStored} />}
      {dialog?.kind === 'edit' && EditDialog && <EditDialog method={dialog.method} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveDialog list={list} method={dialog.method} onClose={close} />}
    </Tile>
  )
}

interface RowsProps<Method> {
  readonly list: MethodList<Method>
  readonly methods: UseQueryResult<readonly Method[]>
  readonly onOpen: (dialog: OpenDialog<Method>) => void
}

const Rows = <Method,>({ list, methods, onOpen }: RowsProps<Method>) => {
  const { heading, kind, toSavedMethod, EditDialog, keepsDefault = false } = list
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
  const { length } = methods.data
  return methods.data.map((method) => {
    const saved = toSavedMethod(method)
    return (
      <MethodRow
        key={saved.id}
        method={saved}
        list={list}
        onEdit={EditDialog && (() => onOpen({ kind: 'edit', method }))}
        onRemove={keepsDefault && saved.isDefault && length > 1 ? undefined : () => onOpen({ kind: 'remove', method: saved })}
      />
    )
  })
}

const redirectToConfirmation = (target: string | null, scriptUrl: string | null): typeof NAVIGATING => {
  const url = safeRedirect(target, scriptUrl)
  if (url === null) throw new Error('The confirmation page of your bank cannot be opened. Please contact support.')
  location.assign(url)
  return NAVIGATING
}
