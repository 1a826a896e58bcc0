import { EMAIL, type Shape } from './saml-shapes.ts'

/** The claims of an ID token, and of the user info. */
export interface OpenIdShape extends Shape {
  readonly idToken: Readonly<Record<string, unknown>>
  readonly userInfo: Readonly<Record<string, unknown>>
  /** Whether the operator has to trust the email, because nothing says that it is verified. */
  readonly trustEmail?: boolean
}

export const OPENID_SHAPES: readonly OpenIdShape[] = [
  {
    provider: 'Okta with a thin ID token',
    source: 'https://github.com/canonical/authd/issues/1440',
    idToken: { email: EMAIL, ver: 1, amr: ['pwd'], idp: '00o47ijbqfgnq5gj00g7', preferred_username: EMAIL, at_hash: '7bSvZiSZ' },
    userInfo: { email: EMAIL, email_verified: true, preferred_username: EMAIL, zoneinfo: 'America/Los_Angeles' },
  },
  {
    provider: 'Google',
    source: 'https://developers.google.com/identity/openid-connect/reference',
    idToken: { email: EMAIL, email_verified: true, hd: 'shapes.example', at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q' },
    userInfo: {},
  },
  {
    provider: 'Auth0',
    source: 'https://auth0.com/docs/secure/tokens/id-tokens/id-token-structure',
    idToken: { email: EMAIL, email_verified: true, nickname: 'ada', name: EMAIL, updated_at: '2026-11-02T10:00:00.000Z' },
    userInfo: {},
  },
  {
    provider: 'Keycloak',
    source: 'https://phasetwo.io/tutorials/getting-started/your-first-token/',
    idToken: { email: EMAIL, email_verified: true, typ: 'ID', azp: 'portal', acr: '1', sid: '2a88c258', preferred_username: 'ada' },
    userInfo: {},
  },
  {
    provider: 'Cognito',
    source: 'https://gist.github.com/a-h/c25705edb5799455233235cfcf9877ec',
    idToken: { email: EMAIL, email_verified: true, 'cognito:username': 'ada', token_use: 'id', event_id: '3c1f' },
    userInfo: {},
  },
  {
    provider: 'Cognito in its user info',
    source: 'https://docs.aws.amazon.com/cognito/latest/developerguide/userinfo-endpoint.html',
    idToken: { 'cognito:username': 'ada', token_use: 'id' },
    userInfo: { email: EMAIL, email_verified: 'true', username: 'ada' },
  },
  {
    provider: 'JumpCloud',
    source: 'https://jumpcloud.com/support/oidc-attributes-claims',
    idToken: { email: EMAIL, email_verified: true, given_name: 'Ada', family_name: 'Example' },
    userInfo: {},
  },
  {
    provider: 'Entra ID with the optional claim xms_edov',
    source: 'https://learn.microsoft.com/entra/identity-platform/optional-claims-reference',
    idToken: { email: EMAIL, xms_edov: true, tid: '9a2c4f60', oid: '58c25608', preferred_username: EMAIL, ver: '2.0' },
    userInfo: {},
  },
  {
    provider: 'Entra ID with xms_edov as a text',
    source: 'https://learn.microsoft.com/entra/identity-platform/optional-claims-reference',
    idToken: { email: EMAIL, xms_edov: '1', tid: '9a2c4f60', ver: '2.0' },
    userInfo: {},
  },
  {
    provider: 'Entra ID without it',
    source: 'https://github.com/eneo-ai/eneo/releases/tag/v2.2.4',
    idToken: { email: EMAIL, tid: '9a2c4f60', oid: '58c25608', preferred_username: EMAIL, ver: '2.0' },
    userInfo: { email: EMAIL },
    trustEmail: true,
  },
  {
    provider: 'Azure AD B2C',
    source: 'https://authjs.dev/reference/core/providers_azure-ad-b2c',
    idToken: { emails: [EMAIL], tfp: 'B2C_1_signin', ver: '1.0' },
    userInfo: {},
    trustEmail: true,
  },
  {
    provider: 'OneLogin',
    source: 'https://developers.onelogin.com/openid-connect/scopes',
    idToken: { email: EMAIL, preferred_username: 'Ada', name: 'Ada Example', at_hash: 'znht1pnyrypkT0KdL5HqQQ' },
    userInfo: { email: EMAIL, preferred_username: 'Ada' },
    trustEmail: true,
  },
  {
    provider: 'AD FS with the scope allatclaims',
    source: 'https://learn.microsoft.com/windows-server/identity/ad-fs/development/custom-id-tokens-in-ad-fs',
    idToken: { email: EMAIL, upn: 'ada@corp.local', unique_name: 'CORP\\ada', apptype: 'Confidential' },
    userInfo: {},
    trustEmail: true,
  },
]
