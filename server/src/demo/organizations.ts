import type { Db } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import { organizationsOf, linkIdentity, storeOrganization } from '../sso/organization-settings.queries.ts'
import { sealClientSecret } from '../sso/secrets.ts'
import { orbit } from './resellers/orbit.ts'
import { userId } from './rows/tenant-rows.ts'

interface Facts {
  readonly keys: Keys
  readonly now: Date
  readonly sandboxPort: number
}

/** The subject of Noor Haddad, the user `sso`, at the sandbox's identity providers. */
const SUBJECT = 'orbit-1001'

/** The certificate of the sandbox's SAML provider. Its private key is public, so it is worthless outside the sandbox. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDHzCCAgegAwIBAgIUaPTf0vbSYvACwGjWNT09NV/rL1AwDQYJKoZIhvcNAQEL
BQAwHjEcMBoGA1UEAwwTQ291bnRlcmZvaWwgc2FuZGJveDAgFw0yNjExMjEyMDE2
NTFaGA8yMTI2MTAyODIwMTY1MVowHjEcMBoGA1UEAwwTQ291bnRlcmZvaWwgc2Fu
ZGJveDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAPw/nth4+S5+pfnj
U27CE6pmlI2xoxBGEDRPAbDb4QSlja9tT9yhB1rTpRCPTrhh2da0CXIuZzuNZXQp
x1A2E5yh5itqBeCNaWjFvJ8cYulQKlnUFJaLZRWuZDQyW0C67u7BVrwRmv9K3UNb
kJtTOTKa/3nFrM4hkcbbIXAU2gu+OZ3izzcW8XPZcs2ihdpkD43xgfgV4LwhhrXq
5meSt+dWwEymUIIm7UTMEjXKTVhGrBRAmXMM1EVTozxUXFvEcRkIP9lflRnjww2R
W+LRiaXzDhHHYY36G7L7YPlow5AYLJuDNyTYFMnW8sliobfjpN0UCxQO3XrAUu06
GNlNlcMCAwEAAaNTMFEwHQYDVR0OBBYEFGEQGPBn0y9BOJa03/KKGCc5BcU7MB8G
A1UdIwQYMBaAFGEQGPBn0y9BOJa03/KKGCc5BcU7MA8GA1UdEwEB/wQFMAMBAf8w
DQYJKoZIhvcNAQELBQADggEBACOoaDjqhpq8naPF2n8LRmDPrT4gsor4Vd7JigSL
nVSCGPSRXnXWVwrjCI358i+NTVJEhpH87B3kwXiPNBw9J9k3v/E3RMY2MzwTfMyZ
17QtN6FY+lbqxrhnN64AdKu0zBN4cIi1aCzpAR2gUTt4Ukv/aTvuc9WM/6abzS7K
XZkMVeaz3KxtCgqZMrFWDNGQaxlU8kRRRNakbqakgNcuSvuHRDvGW/eoneGnnhc5
AXRkCebaLas0kuo0i/m3zwqFzwsqDp/5Yqt/mVkViKMWQG3iyqaNLkPTDppXt63V
hH/GE8pPijwmyNFuCkdPYayRswRXMnjTM4TpqGW9/vHy6oM=
-----END CERTIFICATE-----`

/**
 * Connects the organizations of Orbit Group, one for OpenID Connect and one for SAML, to the sandbox's identity providers. Runs at each
 * start because the sandbox's port may have changed. Makes no request. As counterfoil_reseller.
 */
export const connectToSandbox = async (db: Db, { keys, now, sandboxPort }: Facts): Promise<void> => {
  const sandbox = `http://127.0.0.1:${sandboxPort}`
  const shared = { resellerId: orbit.id, brandId: orbit.id, trustEmail: false, isBlocked: false }
  const oidcOrganization = {
    ...shared,
    name: 'orbit',
    kind: 'oidc' as const,
    issuer: `${sandbox}/oidc`,
    clientId: 'counterfoil',
    clientSecret: sealClientSecret(keys, orbit.id, 'counterfoil-sandbox'),
    signOnUrl: null,
    emailAttribute: null,
    certificates: [],
    domains: ['orbit.example'],
  }
  const samlOrganization = {
    ...shared,
    name: 'orbit-saml',
    kind: 'saml' as const,
    issuer: 'urn:counterfoil:sandbox:saml',
    clientId: null,
    clientSecret: null,
    signOnUrl: `${sandbox}/saml/sso`,
    emailAttribute: null,
    certificates: [CERTIFICATE],
    domains: ['saml.orbit.example'],
  }
  for (const organization of [oidcOrganization, samlOrganization]) {
    const [existing] = await organizationsOf(db, orbit.id, organization.name)
    if (existing !== undefined && !isSandbox(existing)) continue // an operator has connected it elsewhere
    const organizationId = await storeOrganization(db, organization, now)
    await linkIdentity(
      db,
      { resellerId: orbit.id, organizationId: organizationId, issuer: organization.issuer, subject: SUBJECT, userId: userId(orbit.id) },
      now,
    )
  }
}

/** Whether the organization's provider is the sandbox on this machine, on any port. */
const isSandbox = ({ issuer, signOnUrl }: { issuer: string; signOnUrl: string | null }): boolean =>
  /^http:\/\/127\.0\.0\.1:\d+\/(oidc|saml\/sso)$/.test(signOnUrl ?? issuer)
