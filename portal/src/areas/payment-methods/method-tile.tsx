import type { Stored } from '@counterfoil/contract/payment-methods'
import type { PaymentDetails } from '@counterfoil/contract/portal-settings'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { ShownError } from '../../api/api-error.ts'
import { methodsQuery } from '../../payments/methods/methods.data.ts'
import type { MethodList, SavedMethod } from '../../payments/providers/panel.ts'
import { safeRedirect } from '../../payments/outcome/safe-redirect.ts'
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
  | { readonly kind: 'remove'; readonly method: SavedMethod; readonly nextDefault: SavedMethod | undefined }

const PENDING_TEXT = 'Your bank account is being verified. It will be listed here once that is done.'

/** The tile of the saved cards, or of the saved bank accounts, with buttons to add, edit and remove. */
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
        <Button kind={list.kind === 'card' && methods.data?.length === 0 ? 'primary' : 'quiet'} onPress={() => setDialog({ kind: 'add' })}>
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
      {dialog?.kind === 'remove' && <RemoveDialog list={list} method={dialog.method} nextDefault={dialog.nextDefault} onClose={close} />}
    </Tile>
  )
}

interface RowsProps<Method> {
  readonly list: MethodList<Method>
  readonly methods: UseQueryResult<readonly Method[]>
  readonly onOpen: (dialog: OpenDialog<Method>) => void
}

/** The rows of the saved methods, or that they are loading, failed or none; with a note where two look alike. */
const Rows = <Method,>({ list, methods, onOpen }: RowsProps<Method>) => {
  const { heading, kind, toSavedMethod, EditDialog, requiresReplacementBeforeRemovingDefault = false } = list
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
  const saved = methods.data.map((method) => ({ method, shown: toSavedMethod(method) }))
  const twin = saved.find(({ shown }, at) => saved.slice(at + 1).some((other) => isAlike(shown, other.shown)))?.shown
  return (
    <>
      {saved.map(({ method, shown }) => (
        <MethodRow
          key={shown.id}
          method={shown}
          list={list}
          onEdit={EditDialog && (() => onOpen({ kind: 'edit', method }))}
          onRemove={
            requiresReplacementBeforeRemovingDefault && shown.isDefault && saved.length > 1
              ? undefined
              : () => onOpen({ kind: 'remove', method: shown, nextDefault: nextDefaultOf(saved, shown, kind) })
          }
        />
      ))}
      {twin !== undefined && <p className={styles.note}>{`${twin.title} may be saved more than once.`}</p>}
    </>
  )
}

/** Whether two saved cards look the same. They may still be two, because the provider tells the last digits only: nothing is refused. */
const isAlike = (one: SavedMethod, other: SavedMethod): boolean =>
  one.kind === 'card' && one.detail !== '' && one.title === other.title && one.detail === other.detail

/**
 * The card that becomes the default when the given default card is removed: the first other one (PM-04). Undefined for a bank account and
 * for what is not the default.
 */
const nextDefaultOf = (
  saved: readonly { readonly shown: SavedMethod }[],
  { id, isDefault }: SavedMethod,
  kind: SavedMethod['kind'],
): SavedMethod | undefined => (isDefault && kind === 'card' ? saved.find(({ shown }) => shown.id !== id)?.shown : undefined)

/** Leaves the page for the bank's confirmation page. Throws a ShownError when its address is missing or not allowed. */
const redirectToConfirmation = (target: string | null, scriptUrl: string | null): typeof NAVIGATING => {
  const url = safeRedirect(target, scriptUrl)
  if (url === null) throw new ShownError('The confirmation page of your bank cannot be opened. Please contact support.')
  location.assign(url)
  return NAVIGATING
}
