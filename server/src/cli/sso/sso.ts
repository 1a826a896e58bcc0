import { findBrands } from '../../imports/focus/focus-tenants.queries.ts'
import { findReseller, parseIdOrName, onlyMatch } from '../../imports/find-reseller.ts'
import type { NamedRecord } from '../../imports/resellers.queries.ts'
import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import {
  type OrganizationSettings,
  organizationsOf,
  isNameTakenElsewhere,
  organizationOfDomain,
  removeOrganization,
  type StoredOrganization,
  storeOrganization,
  unlinkUser,
} from '../../sso/organization-settings.queries.ts'
import { sealClientSecret } from '../../sso/secrets.ts'
import { command, type CommandIo, flag, type OptionsOf, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { printResult } from '../payments/command-support.ts'
import {
  OF_RESELLER,
  ONE_ORGANIZATION,
  parseAttribute,
  parseDomain,
  parseIssuer,
  parseOrganizationName,
  readTextFile,
  SETTINGS,
  splitWords,
} from './sso-options.ts'

export const ssoSetCommand = command({
  name: 'sso set',
  about: 'make a company, or change what is named here',
  options: SETTINGS,
  run: async (context, io, _, options) => {
    const reseller = await requireReseller(context, options)
    const name = parseOrganizationName(options.company.trim())
    const changes = await parseChanges(context, io, options, reseller.id)
    const now = context.clock()
    if (await context.store.transact({ role: 'counterfoil_system' }, (db) => isNameTakenElsewhere(db, reseller.id, name)))
      throw new OperatorError(`Another reseller has a company named ${name}. A company's name leads to one company; choose another.`)
    const organization = await context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller.id }, async (db) => {
      const [existing] = await organizationsOf(db, reseller.id, name)
      const brands = await findBrands(db, reseller.id, changes.brand === undefined ? '' : parseIdOrName(changes.brand))
      const brandId = changes.brand === undefined ? undefined : onlyMatch('brand', changes.brand, brands)?.id
      if (changes.brand !== undefined && brandId === undefined)
        throw new OperatorError(`${reseller.name} has no brand named ${changes.brand}.`)
      const settings = completeSettings({ ...changes, name, resellerId: reseller.id, brandId: brandId ?? existing?.brandId }, existing)
      for (const domain of settings.domains) {
        const otherOrganization = await organizationOfDomain(db, reseller.id, settings.brandId, domain)
        if (otherOrganization !== undefined && otherOrganization.toLowerCase() !== name.toLowerCase())
          throw new OperatorError(`The domain ${domain} is listed by the company ${otherOrganization} of the same brand.`)
      }
      await storeOrganization(db, settings, now)
      const [saved] = await organizationsOf(db, reseller.id, name)
      await auditOperator(db, context, 'sso.company-set', { ...auditSubject(reseller, name), before: existing, after: saved })
      return saved
    })
    if (organization === undefined) throw new Error('a company was not stored')
    return printResult(io, toJson(context, organization), () => [
      `The company ${organization.name} is set.`,
      ...detailLines(context, organization),
    ])
  },
})

export const ssoShowCommand = command({
  name: 'sso show',
  about: 'show a company, without its secret',
  options: ONE_ORGANIZATION,
  run: async (context, io, _, options) => {
    const reseller = await requireReseller(context, options)
    const name = parseOrganizationName(options.company.trim())
    const [organization] = await context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller.id }, (db) =>
      organizationsOf(db, reseller.id, name),
    )
    if (organization === undefined) throw organizationNotFound(reseller, name)
    return printResult(io, toJson(context, organization), () => detailLines(context, organization))
  },
})

export const ssoListCommand = command({
  name: 'sso list',
  about: 'list the companies of a reseller',
  options: OF_RESELLER,
  run: async (context, io, _, options) => {
    const reseller = await requireReseller(context, options)
    const organizations = await context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller.id }, (db) =>
      organizationsOf(db, reseller.id),
    )
    return printResult(io, { companies: organizations.map((organization) => toJson(context, organization)) }, () =>
      organizations.length === 0
        ? [`${reseller.name} has no company with single sign-on.`]
        : organizations.map(
            ({ name, kind, domains, isBlocked, people }) =>
              `${name}  ${kind}  ${domains.join(' ')}  ${people} linked${isBlocked ? '  blocked' : ''}`,
          ),
    )
  },
})

export const ssoRemoveCommand = command({
  name: 'sso remove',
  about: 'remove a company and its links; the users stay',
  options: { ...ONE_ORGANIZATION, yes: flag('do it without asking') },
  resolve: async (context, _, options) => {
    const reseller = await requireReseller(context, options)
    const organizations = await context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller.id }, (db) =>
      organizationsOf(db, reseller.id),
    )
    const name = parseOrganizationName(options.company.trim())
    if (!organizations.some((one) => one.name === name)) throw organizationNotFound(reseller, name)
  },
  confirm: (_, { company }) => `Removing ${company} forgets which of its people each user is.`,
  run: async (context, io, _, options) => {
    const reseller = await requireReseller(context, options)
    const name = parseOrganizationName(options.company.trim())
    const isRemoved = await context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller.id }, async (db) => {
      const isDone = await removeOrganization(db, reseller.id, name)
      if (isDone) await auditOperator(db, context, 'sso.company-removed', auditSubject(reseller, name))
      return isDone
    })
    if (!isRemoved) throw organizationNotFound(reseller, name)
    return printResult(io, { removed: name }, () => [
      `The company ${name} is removed. Its people sign in by password, where they have one.`,
    ])
  },
})

export const ssoUnlinkCommand = command({
  name: 'sso unlink',
  about: 'forget which person of the company a user is',
  options: { ...ONE_ORGANIZATION, username: requiredOption(textOption('name', 'the user')) },
  run: async (context, io, _, options) => {
    const reseller = await requireReseller(context, options)
    const [name, username] = [parseOrganizationName(options.company.trim()), options.username.trim()]
    const isUnlinked = await context.store.transact({ role: 'counterfoil_reseller', resellerId: reseller.id }, async (db) => {
      const isDone = await unlinkUser(db, reseller.id, name, username)
      if (isDone) await auditOperator(db, context, 'sso.unlinked', { ...auditSubject(reseller, name), detail: username })
      return isDone
    })
    if (!isUnlinked) throw new OperatorError(`No user ${username} is linked to a person of the company ${name}.`)
    return printResult(io, { unlinked: username }, () => [`${username} is no longer linked. The next sign-on links by email again.`])
  },
})

type OrganizationChanges = Partial<Omit<OrganizationSettings, 'brandId'>> & { readonly brand?: string }

/**
 * The settings of a company that the options change, with the client secret sealed. Stores nothing.
 * @throws OperatorError for the first malformed value
 */
const parseChanges = async (
  context: AppContext,
  io: CommandIo,
  options: OptionsOf<typeof SETTINGS>,
  resellerId: number,
): Promise<OrganizationChanges> => {
  const kind = options.kind?.trim()
  if (kind !== undefined && kind !== 'oidc' && kind !== 'saml') throw new OperatorError(`The kind must be oidc or saml, not ${kind}.`)
  const [issuer, clientId, brand] = [options.issuer?.trim(), options.clientId?.trim(), options.brand?.trim()]
  const metadata = options.metadata
  const secretFile = options.clientSecretFile
  const domains = (options.domain ?? []).flatMap(splitWords).map(parseDomain)
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(brand === undefined ? {} : { brand }),
    ...(issuer === undefined ? {} : { issuer: parseIssuer(issuer) }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(secretFile === undefined ? {} : { clientSecret: sealClientSecret(context.keys, resellerId, await readSecret(io, secretFile)) }),
    ...(metadata === undefined ? {} : await readMetadata(io, metadata)),
    ...(domains.length === 0 ? {} : { domains: [...new Set(domains)] }),
    ...(options.emailAttribute === undefined ? {} : { emailAttribute: parseAttribute(options.emailAttribute.trim()) }),
    ...(options.trustEmail === undefined ? {} : { trustEmail: options.trustEmail === true }),
    ...(options.block === true ? { isBlocked: true } : {}),
    ...(options.unblock === true ? { isBlocked: false } : {}),
  }
}

/** The settings in a file with a SAML provider's metadata. */
const readMetadata = async (io: CommandIo, path: string) => {
  const { readSamlMetadata } = await import('../../sso/saml-metadata.ts') // loads an XML parser, which a running server does not need
  return readSamlMetadata(await readTextFile(io, path))
}

/** The client secret in a file, in clear, without blanks around. @throws OperatorError when it is empty or too long */
const readSecret = async (io: CommandIo, path: string): Promise<string> => {
  const secret = (await readTextFile(io, path)).trim()
  if (secret === '' || secret.length > 1_024) throw new OperatorError('The client secret must have 1 to 1024 characters.')
  return secret
}

/**
 * Merges the changes into the existing settings, of which another kind keeps little. `clientSecret` is null where it stays as stored.
 * @throws OperatorError that names what is missing
 */
const completeSettings = (
  changes: OrganizationChanges & { name: string; resellerId: number; brandId: number | undefined },
  existing: StoredOrganization | undefined,
): OrganizationSettings => {
  const kind = changes.kind ?? existing?.kind
  const domains = changes.domains ?? existing?.domains ?? []
  if (kind === undefined) throw new OperatorError('Say how the company signs its people in: --kind oidc or --kind saml.')
  if (changes.brandId === undefined) throw new OperatorError('Name the brand whose users these are: --brand.')
  if (domains.length === 0) throw new OperatorError('Name at least one domain of the company: --domain orbit.example.')
  const isOtherKind = existing !== undefined && existing.kind !== kind
  const previous = isOtherKind ? undefined : existing
  const settings = {
    resellerId: changes.resellerId,
    brandId: changes.brandId,
    name: changes.name,
    kind,
    issuer: changes.issuer ?? previous?.issuer ?? '',
    clientId: kind === 'oidc' ? (changes.clientId ?? previous?.clientId ?? null) : null,
    clientSecret: changes.clientSecret ?? null,
    trustEmail: changes.trustEmail ?? previous?.trustEmail ?? false,
    emailAttribute: kind === 'saml' ? emailAttributeOf(changes, previous) : null,
    signOnUrl: kind === 'saml' ? (changes.signOnUrl ?? previous?.signOnUrl ?? null) : null,
    certificates: kind === 'saml' ? (changes.certificates ?? previous?.certificates ?? []) : [],
    domains,
    isBlocked: changes.isBlocked ?? existing?.isBlocked ?? false,
  }
  if (kind === 'saml' && (settings.signOnUrl === null || settings.certificates.length === 0))
    throw new OperatorError('A company with SAML needs its provider’s metadata: --metadata FILE.')
  if (kind === 'oidc' && settings.issuer === '') throw new OperatorError('A company with OpenID Connect needs --issuer.')
  if (kind === 'oidc') parseIssuer(settings.issuer)
  if (kind === 'oidc' && settings.clientId === null) throw new OperatorError('A company with OpenID Connect needs --client-id.')
  if (kind === 'oidc' && settings.clientSecret === null && previous?.hasSecret !== true)
    throw new OperatorError('A company with OpenID Connect needs --client-secret-file FILE (- for standard input).')
  return settings
}

/** The SAML attribute with the email: as changed, else as stored; null for the usual ones. */
const emailAttributeOf = (changes: OrganizationChanges, previous: StoredOrganization | undefined): string | null =>
  (changes.emailAttribute === undefined ? previous?.emailAttribute : changes.emailAttribute) ?? null

/** The reseller of --reseller, by its name or id. @throws OperatorError when there is none */
const requireReseller = async (context: AppContext, options: OptionsOf<typeof OF_RESELLER>): Promise<NamedRecord> => {
  const name = options.reseller.trim()
  const found = await context.store.transact({ role: 'counterfoil_system' }, (db) => findReseller(db, name))
  if (found === undefined) throw new OperatorError(`There is no reseller named ${name}.`)
  return found
}

/** The fields of an audit entry that say which company it is about. */
const auditSubject = ({ id }: NamedRecord, name: string) => ({ resellerId: id, subject: `company ${name}` })

/** Makes the error for a name that no company of the reseller has. Throws nothing. */
const organizationNotFound = (reseller: NamedRecord, name: string): OperatorError =>
  new OperatorError(`${reseller.name} has no company named ${name}.`)

/** The addresses of this portal that the company's provider must be told. */
const providerAddresses = ({ config }: AppContext, { kind }: StoredOrganization) => ({
  callbackUrl: `${config.publicUrl}/sso/callback`,
  entityId: kind === 'saml' ? `${config.publicUrl}/sso/metadata` : null,
})

/** A company for `--json`, with the addresses for its provider. Its secret is not among the fields. */
const toJson = (context: AppContext, { brandId, brandName, ...organization }: StoredOrganization) => ({
  ...organization,
  brand: { id: brandId, name: brandName },
  ...providerAddresses(context, { ...organization, brandId, brandName }),
})

/** The lines about a company for a terminal, with the addresses for its provider. */
const detailLines = (context: AppContext, organization: StoredOrganization): string[] => {
  const { callbackUrl, entityId } = providerAddresses(context, organization)
  return [
    `  brand        ${organization.brandName} (${organization.brandId})`,
    `  kind         ${organization.kind}${organization.isBlocked ? ', blocked' : ''}`,
    `  issuer       ${organization.issuer}`,
    ...(organization.clientId === null ? [] : [`  client       ${organization.clientId}`]),
    ...(organization.signOnUrl === null ? [] : [`  sign-on      ${organization.signOnUrl}`]),
    ...(organization.emailAttribute === null ? [] : [`  email in     ${organization.emailAttribute}`]),
    `  domains      ${organization.domains.join(' ')}`,
    `  people       ${organization.people} linked`,
    `  sends back   ${callbackUrl}`,
    ...(entityId === null ? [] : [`  entity id    ${entityId}`]),
  ]
}
