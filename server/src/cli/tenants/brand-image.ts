import { actAsReseller } from '../../db/act-as.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { type Command, type Io, textOption } from '../command.ts'
import { noteOperator } from '../operator-audit.ts'
import * as find from './find.ts'
import { MOST_BYTES, pictureType } from './picture.rules.ts'
import { tellRecord } from './print.ts'
import { dropPicture, putPicture } from './tenants.queries.ts'

const KINDS = ['logo', 'banner'] as const

interface Picture {
  readonly kind: (typeof KINDS)[number]
  readonly contentType: string
  readonly bytes: Buffer
}

/** `counterfoil brand image B [--logo FILE] [--banner FILE] [--remove logo]`: a picture is known by its bytes, not by its name. */
export const brandImageCommand: Command = async (deps, io, [wanted = ''], options) => {
  const pictures: Picture[] = []
  for (const kind of KINDS) {
    const path = textOption(options, kind)
    if (path !== undefined) pictures.push({ kind, ...(await pictureFrom(io, path)) })
  }
  const gone = removed(textOption(options, 'remove'))
  if (pictures.length === 0 && gone === undefined) throw new OperatorError('Name a picture: --logo FILE, --banner FILE, or --remove logo.')
  const { id, name } = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const owner = textOption(options, 'reseller')
    const brand = await find.brand(db, wanted, owner === undefined ? undefined : (await find.reseller(db, owner)).id)
    await actAsReseller(db, brand.resellerId)
    for (const picture of pictures) await putPicture(db, { ...picture, brandId: brand.id, now: deps.clock() })
    if (gone !== undefined && !(await dropPicture(db, brand.id, gone)))
      throw new OperatorError(`Brand ${brand.name} has no ${gone} of its own.`)
    const detail = [...pictures.map(({ kind }) => kind), ...(gone === undefined ? [] : [`no ${gone}`])].join(', ')
    await noteOperator(db, deps, 'brand.changed', { resellerId: brand.resellerId, subject: `brand ${brand.id}`, detail })
    return brand
  })
  const record = { id, name, ...Object.fromEntries(pictures.map(({ kind, contentType }) => [kind, contentType])) }
  return tellRecord(io, gone === undefined ? record : { ...record, removed: gone }, `The pictures of brand ${name} (${id}) are changed.`)
}

const removed = (kind: string | undefined): Picture['kind'] | undefined => {
  const known = KINDS.find((one) => one === kind)
  if (kind !== undefined && known === undefined) throw new OperatorError('--remove: it must be logo or banner.')
  return known
}

const pictureFrom = async (io: Io, path: string): Promise<{ contentType: string; bytes: Buffer }> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (await io.openFile(path)).open()) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MOST_BYTES) break // pictureType says so
  }
  const bytes = Buffer.concat(chunks)
  return { bytes, contentType: pictureType(path, bytes) }
}
