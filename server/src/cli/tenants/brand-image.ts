import { BRAND_PICTURES, type BrandPicture } from '@counterfoil/contract/brands'
import { actAsReseller } from '../../db/act-as.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { command, OF_RESELLER, type CommandIo, inputOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { requireBrand, requireReseller } from './require-tenant.ts'
import { MAX_PICTURE_BYTES, pictureType } from './picture.rules.ts'
import { printRecord } from './print.ts'
import { deletePicture, savePicture } from './tenants.queries.ts'

interface Picture {
  readonly kind: BrandPicture
  readonly contentType: string
  readonly bytes: Buffer
}

/** The picture's type is detected from its bytes. */
export const brandImageCommand = command({
  name: 'brand image',
  about: 'give a brand its pictures: PNG, JPEG, WebP or SVG, at most 2 MiB',
  arguments: { brand: 'text' },
  options: {
    logo: inputOption('file', 'the logo in the header, at sign-in and on invoices'),
    logoDark: inputOption('file', 'the logo on dark backgrounds; without it the other gets a plate where it could not be read'),
    banner: inputOption('file', 'the picture beside the sign-in form'),
    icon: inputOption('file', 'the square picture in a browser’s tab; without it one is drawn from the name and the primary colour'),
    remove: textOption('kind', `${BRAND_PICTURES.join(', ')}: take it away, so that what stands in for it is shown`),
    reseller: OF_RESELLER,
  },
  run: async (deps, io, { brand: brandRef }, options) => {
    const pictures: Picture[] = []
    for (const kind of BRAND_PICTURES) {
      const path = options[kind === 'logo-dark' ? 'logoDark' : kind]
      if (path !== undefined) pictures.push({ kind, ...(await readPicture(io, path)) })
    }
    const removedKind = parseRemovedKind(options.remove)
    if (pictures.length === 0 && removedKind === undefined)
      throw new OperatorError('Name a picture: --logo FILE, --logo-dark FILE, --banner FILE, --icon FILE, or --remove logo.')
    const { id, name } = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const { reseller } = options
      const brand = await requireBrand(db, brandRef, reseller === undefined ? undefined : (await requireReseller(db, reseller)).id)
      await actAsReseller(db, brand.resellerId)
      for (const picture of pictures) await savePicture(db, { ...picture, brandId: brand.id, now: deps.clock() })
      if (removedKind !== undefined && !(await deletePicture(db, brand.id, removedKind)))
        throw new OperatorError(`Brand ${brand.name} has no ${removedKind} of its own.`)
      const detail = [...pictures.map(({ kind }) => kind), ...(removedKind === undefined ? [] : [`no ${removedKind}`])].join(', ')
      await auditOperator(db, deps, 'brand.changed', { resellerId: brand.resellerId, subject: `brand ${brand.id}`, detail })
      return brand
    })
    const record = { id, name, ...Object.fromEntries(pictures.map(({ kind, contentType }) => [kind, contentType])) }
    return printRecord(
      io,
      removedKind === undefined ? record : { ...record, removed: removedKind },
      `The pictures of brand ${name} (${id}) are changed.`,
    )
  },
})

/** The kind of picture that --remove names; undefined when it is not given. @throws OperatorError for an unknown kind */
const parseRemovedKind = (kind: string | undefined): Picture['kind'] | undefined => {
  const match = BRAND_PICTURES.find((candidate) => candidate === kind)
  if (kind !== undefined && match === undefined) throw new OperatorError(`--remove: it must be one of ${BRAND_PICTURES.join(', ')}.`)
  return match
}

/** Reads a picture's file. Its type is detected from the bytes. @throws OperatorError when it is too large or no usable picture */
const readPicture = async (io: CommandIo, path: string): Promise<{ contentType: string; bytes: Buffer }> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (await io.openFile(path)).open()) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_PICTURE_BYTES) break // pictureType rejects it
  }
  const bytes = Buffer.concat(chunks)
  return { bytes, contentType: pictureType(path, bytes) }
}
