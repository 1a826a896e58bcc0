import { brandsNamed } from '../../imports/focus/focus-house.queries.ts'
import { findReseller, idOrName, theOne } from '../../imports/find-reseller.ts'
import type { Named } from '../../imports/resellers.queries.ts'
import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import {
  type CompanySettings,
  companiesOf,
  isTakenElsewhere,
  listerOfDomain,
  removeCompany,
  type StoredCompany,
  storeCompany,
  unlinkUser,
} from '../../sso/organization-settings.queries.ts'
import { sealClientSecret } from '../../sso/secrets.ts'
import type { Command, Io, Options } from '../command.ts'
import { noteOperator } from '../operator-audit.ts'
import { checkedDomain, checkedIssuer, checkedName, optionText, optionTexts, readWhole } from './sso-options.ts'

/** `counterfoil sso set`: makes a company, or changes what is named of it. */
export const ssoSetCommand: Command = async (context, io, _, options) => {
  const reseller = await resellerOf(context, options)
  const name = checkedName(optionText(options, 'company'))
  const given = await givenParts(context, io, options, reseller.id)
  const now = context.clock()
  if (await context.store.transact({ role: 'counterfoil_system' }, (db) => isTakenElsewhere(db, reseller.id, name)))
    throw new OperatorError(`Another reseller has a company named ${name}. A company's name leads to one company; choose another.`)
  const company = await context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller.id }, async (db) => {
    const [known] = await companiesOf(db, reseller.id, name)
    const brands = await brandsNamed(db, reseller.id, given.brand === undefined ? '' : idOrName(given.brand))
    const brandId = given.brand === undefined ? undefined : theOne('brand', given.brand, brands)?.id
    if (given.brand !== undefined && brandId === undefined) throw new OperatorError(`${reseller.name} has no brand named ${given.brand}.`)
    const settings = whole({ ...given, name, resellerId: reseller.id, brandId: brandId ?? known?.brandId }, known)
    for (const domain of settings.domains) {
      const lister = await listerOfDomain(db, reseller.id, settings.brandId, domain)
      if (lister !== undefined && lister.toLowerCase() !== name.toLowerCase())
        throw new OperatorError(`The domain ${domain} is listed by the company ${lister} of the same brand.`)
    }
    await storeCompany(db, settings, now)
    const [stored] = await companiesOf(db, reseller.id, name)
    await noteOperator(db, context, 'sso.company-set', { ...about(reseller, name), before: known, after: stored })
    return stored
  })
  if (company === undefined) throw new Error('a company was not stored')
  say(io, shown(company), () => [`The company ${company.name} is set.`, ...lines(context, company)])
  return 0
}

/** `counterfoil sso show`: everything of one company but its secret. */
export const ssoShowCommand: Command = async (context, io, _, options) => {
  const reseller = await resellerOf(context, options)
  const name = checkedName(optionText(options, 'company'))
  const [company] = await context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller.id }, (db) =>
    companiesOf(db, reseller.id, name),
  )
  if (company === undefined) throw noCompany(reseller, name)
  say(io, shown(company), () => lines(context, company))
  return 0
}

/** `counterfoil sso list`: the companies of a reseller. */
export const ssoListCommand: Command = async (context, io, _, options) => {
  const reseller = await resellerOf(context, options)
  const companies = await context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller.id }, (db) =>
    companiesOf(db, reseller.id),
  )
  say(io, { companies: companies.map(shown) }, () =>
    companies.length === 0
      ? [`${reseller.name} has no company with single sign-on.`]
      : companies.map(
          ({ name, kind, domains, isBlocked, people }) =>
            `${name}  ${kind}  ${domains.join(' ')}  ${people} linked${isBlocked ? '  blocked' : ''}`,
        ),
  )
  return 0
}

/** `counterfoil sso remove`: a company with its links; the users stay. */
export const ssoRemoveCommand: Command = async (context, io, _, options) => {
  const reseller = await resellerOf(context, options)
  const name = checkedName(optionText(options, 'company'))
  const removed = await context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller.id }, async (db) => {
    const isDone = await removeCompany(db, reseller.id, name)
    if (isDone) await noteOperator(db, context, 'sso.company-removed', about(reseller, name))
    return isDone
  })
  if (!removed) throw noCompany(reseller, name)
  say(io, { removed: name }, () => [`The company ${name} is removed. Its people sign in by password, where they have one.`])
  return 0
}

/** `counterfoil sso unlink`: forgets which person of the company a user is. */
export const ssoUnlinkCommand: Command = async (context, io, _, options) => {
  const reseller = await resellerOf(context, options)
  const [name, username] = [checkedName(optionText(options, 'company')), optionText(options, 'username') ?? '']
  const unlinked = await context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller.id }, async (db) => {
    const isDone = await unlinkUser(db, reseller.id, name, username)
    if (isDone) await noteOperator(db, context, 'sso.unlinked', { ...about(reseller, name), detail: username })
    return isDone
  })
  if (!unlinked) throw new OperatorError(`No user ${username} is linked to a person of the company ${name}.`)
  say(io, { unlinked: username }, () => [`${username} is no longer linked. The next sign-on links by email again.`])
  return 0
}

type Given = Partial<Omit<CompanySettings, 'brandId'>> & { readonly brand?: string }

/** What the options name; everything is checked before anything is stored. */
const givenParts = async (context: AppContext, io: Io, options: Options, resellerId: number): Promise<Given> => {
  const kind = optionText(options, 'kind')
  if (kind !== undefined && kind !== 'oidc' && kind !== 'saml') throw new OperatorError(`The kind must be oidc or saml, not ${kind}.`)
  const [issuer, clientId, brand] = [optionText(options, 'issuer'), optionText(options, 'clientId'), optionText(options, 'brand')]
  const metadata = optionText(options, 'metadata')
  const secretFile = optionText(options, 'clientSecretFile')
  const domains = optionTexts(options, 'domain').map(checkedDomain)
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(brand === undefined ? {} : { brand }),
    ...(issuer === undefined ? {} : { issuer: checkedIssuer(issuer) }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(secretFile === undefined ? {} : { clientSecret: sealClientSecret(context.keys, resellerId, await secretIn(io, secretFile)) }),
    ...(metadata === undefined ? {} : await metadataIn(io, metadata)),
    ...(domains.length === 0 ? {} : { domains: [...new Set(domains)] }),
    ...(options['trustEmail'] === undefined ? {} : { trustEmail: options['trustEmail'] === true }),
    ...(options['block'] === true ? { isBlocked: true } : {}),
    ...(options['unblock'] === true ? { isBlocked: false } : {}),
  }
}

const metadataIn = async (io: Io, path: string) => {
  const { readSamlMetadata } = await import('../../sso/saml-metadata.ts') // a reader of XML that no running server needs
  return readSamlMetadata(await readWhole(io, path))
}

const secretIn = async (io: Io, path: string): Promise<string> => {
  const secret = (await readWhole(io, path)).trim()
  if (secret === '' || secret.length > 1_024) throw new OperatorError('The client secret must have 1 to 1024 characters.')
  return secret
}

/** A whole company of what is given and what was stored. @throws OperatorError that names what is missing */
const whole = (
  given: Given & { name: string; resellerId: number; brandId: number | undefined },
  known: StoredCompany | undefined,
): CompanySettings => {
  const kind = given.kind ?? known?.kind
  const domains = given.domains ?? known?.domains ?? []
  if (kind === undefined) throw new OperatorError('Say how the company signs its people in: --kind oidc or --kind saml.')
  if (given.brandId === undefined) throw new OperatorError('Name the brand whose users these are: --brand.')
  if (domains.length === 0) throw new OperatorError('Name at least one domain of the company: --domain orbit.example.')
  const isOther = known !== undefined && known.kind !== kind
  const before = isOther ? undefined : known
  const settings = {
    resellerId: given.resellerId,
    brandId: given.brandId,
    name: given.name,
    kind,
    issuer: given.issuer ?? before?.issuer ?? '',
    clientId: kind === 'oidc' ? (given.clientId ?? before?.clientId ?? null) : null,
    clientSecret: given.clientSecret ?? null,
    trustEmail: given.trustEmail ?? before?.trustEmail ?? false,
    signOnUrl: kind === 'saml' ? (given.signOnUrl ?? before?.signOnUrl ?? null) : null,
    certificates: kind === 'saml' ? (given.certificates ?? before?.certificates ?? []) : [],
    domains,
    isBlocked: given.isBlocked ?? known?.isBlocked ?? false,
  }
  if (kind === 'saml' && (settings.signOnUrl === null || settings.certificates.length === 0))
    throw new OperatorError('A company with SAML needs its provider’s metadata: --metadata FILE.')
  if (kind === 'oidc' && settings.issuer === '') throw new OperatorError('A company with OpenID Connect needs --issuer.')
  if (kind === 'oidc') checkedIssuer(settings.issuer)
  if (kind === 'oidc' && settings.clientId === null) throw new OperatorError('A company with OpenID Connect needs --client-id.')
  if (kind === 'oidc' && settings.clientSecret === null && before?.hasSecret !== true)
    throw new OperatorError('A company with OpenID Connect needs --client-secret-file FILE (- for standard input).')
  return settings
}

const resellerOf = async (context: AppContext, options: Options): Promise<Named> => {
  const wanted = optionText(options, 'reseller') ?? ''
  const found = await context.store.transact({ role: 'counterfoil_system' }, (db) => findReseller(db, wanted))
  if (found === undefined) throw new OperatorError(`There is no reseller named ${wanted}.`)
  return found
}

const about = ({ id }: Named, name: string) => ({ resellerId: id, subject: `company ${name}` })

const noCompany = (reseller: Named, name: string): OperatorError => new OperatorError(`${reseller.name} has no company named ${name}.`)

const shown = ({ brandId, brandName, ...company }: StoredCompany) => ({ ...company, brand: { id: brandId, name: brandName } })

const lines = ({ config }: AppContext, company: StoredCompany): string[] => [
  `  brand        ${company.brandName} (${company.brandId})`,
  `  kind         ${company.kind}${company.isBlocked ? ', blocked' : ''}`,
  `  issuer       ${company.issuer}`,
  ...(company.clientId === null ? [] : [`  client       ${company.clientId}`]),
  ...(company.signOnUrl === null ? [] : [`  sign-on      ${company.signOnUrl}`]),
  `  domains      ${company.domains.join(' ')}`,
  `  people       ${company.people} linked`,
  `  sends back   ${config.publicUrl}/sso/callback`,
  ...(company.kind === 'saml' ? [`  entity id    ${config.publicUrl}/sso/metadata`] : []),
]

const say = (io: Io, json: object, words: () => readonly string[]): void => {
  if (io.json) io.out(JSON.stringify(json))
  else for (const line of words()) io.out(line)
}
