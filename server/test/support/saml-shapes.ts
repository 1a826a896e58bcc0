/** Stands for the person's email in the shapes below. */
export const EMAIL = 'EMAIL'

/** What an identity provider sends of a person: names and formats as its documentation, or a recorded answer, has them. */
export interface Shape {
  readonly provider: string
  /** Where the shape is written down. */
  readonly source: string
}

/** An attribute of an assertion. */
export interface SamlAttribute {
  readonly name: string
  readonly values: readonly string[]
  /** The last word of the `NameFormat`. */
  readonly format?: 'basic' | 'uri' | 'unspecified'
  readonly friendlyName?: string
  /** The `xsi:type` of each value. */
  readonly type?: 'xs:string' | 'xs:anyType' | 'xs:boolean'
}

/** The name id and the attributes of an assertion. */
export interface SamlShape extends Shape {
  readonly nameId: { readonly format: string | null; readonly value: string }
  readonly attributes: readonly SamlAttribute[]
  /** The attribute that the operator has to name. */
  readonly emailAttribute?: string
}

export const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
const EMAIL_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
export const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const MICROSOFT = 'http://schemas.microsoft.com/identity/claims'
const ENTRA_CLAIMS: readonly SamlAttribute[] = [
  { name: `${MICROSOFT}/tenantid`, values: ['9a2c4f60-95d8-439e-bd69-3a8c331a2358'] },
  { name: `${MICROSOFT}/objectidentifier`, values: ['58c25608-50c5-4ff7-bf60-bab58b65ade2'] },
  { name: `${MICROSOFT}/displayname`, values: ['Ada Example'] },
  { name: `${MICROSOFT}/identityprovider`, values: ['https://sts.windows.net/9a2c4f60-95d8-439e-bd69-3a8c331a2358/'] },
  { name: 'http://schemas.microsoft.com/claims/authnmethodsreferences', values: ['password', 'multipleauthn'] },
  { name: `${CLAIMS}/givenname`, values: ['Ada'] },
  { name: `${CLAIMS}/surname`, values: ['Example'] },
]

export const SAML_SHAPES: readonly SamlShape[] = [
  {
    provider: 'Okta as it is set up at first',
    source: 'https://help.okta.com/en-us/Content/Topics/apps/aiw-saml-reference.htm',
    nameId: { format: UNSPECIFIED, value: EMAIL },
    attributes: [],
  },
  {
    provider: 'Okta with attribute statements',
    source: 'https://saml-doc.okta.com/SAML_Docs/How-to-Configure-SAML-2.0-for-Template-SAML-2.0-App.html',
    nameId: { format: UNSPECIFIED, value: 'ada.okta' },
    attributes: [
      { name: 'firstName', values: ['Ada'], format: 'unspecified', type: 'xs:string' },
      { name: 'email', values: [EMAIL], format: 'unspecified', type: 'xs:string' },
    ],
  },
  {
    provider: 'Okta with statements of the basic format',
    source: 'https://docs.gitlab.com/user/group/saml_sso/',
    nameId: { format: PERSISTENT, value: '00u47ijy7sRLaeSdC0g7' },
    attributes: [{ name: 'email', values: [EMAIL], format: 'basic', type: 'xs:string' }],
  },
  {
    provider: 'Entra ID',
    source: 'https://learn.microsoft.com/entra/identity-platform/reference-saml-tokens',
    nameId: { format: EMAIL_ADDRESS, value: 'ada@orbit.onmicrosoft.example' },
    attributes: [
      ...ENTRA_CLAIMS,
      { name: `${CLAIMS}/emailaddress`, values: [EMAIL] },
      { name: `${CLAIMS}/name`, values: ['ada@orbit.onmicrosoft.example'] },
    ],
  },
  {
    provider: 'Entra ID for a person without a mailbox',
    source: 'https://learn.microsoft.com/entra/identity-platform/saml-claims-customization',
    nameId: { format: EMAIL_ADDRESS, value: EMAIL },
    attributes: [...ENTRA_CLAIMS, { name: `${CLAIMS}/name`, values: [EMAIL] }],
  },
  {
    provider: 'Google Workspace as it is set up at first',
    source: 'https://www.firmsupport.aiwyn.ai/hc/en-us/articles/10241939557403',
    nameId: { format: UNSPECIFIED, value: EMAIL },
    attributes: [],
  },
  {
    provider: 'Google Workspace with a mapping',
    source: 'https://support.google.com/a/answer/6087519',
    nameId: { format: PERSISTENT, value: '115926437105813475612' },
    attributes: [
      { name: 'Department', values: ['Sales'], type: 'xs:anyType' },
      { name: 'Email', values: [EMAIL], type: 'xs:anyType' },
    ],
  },
  {
    provider: 'Keycloak with its mapper of X.500',
    source: 'https://www.keycloak.org/docs/latest/server_admin/#_protocol-mappers',
    nameId: { format: UNSPECIFIED, value: 'ada.keycloak' },
    attributes: [
      { name: 'urn:oid:1.2.840.113549.1.9.1', values: [EMAIL], format: 'uri', friendlyName: 'email', type: 'xs:string' },
      { name: 'Role', values: ['view-profile'], format: 'basic', type: 'xs:string' },
      { name: 'Role', values: ['manage-account'], format: 'basic', type: 'xs:string' },
    ],
  },
  {
    provider: 'OneLogin',
    source: 'https://developers.onelogin.com/saml/examples/response',
    nameId: { format: EMAIL_ADDRESS, value: 'ada@onelogin.example' },
    attributes: [
      { name: 'memberOf', values: [''], format: 'basic', type: 'xs:string' },
      { name: 'User.email', values: [EMAIL], format: 'basic', type: 'xs:string' },
      { name: 'User.FirstName', values: ['Ada'], format: 'basic', type: 'xs:string' },
      { name: 'PersonImmutableID', values: ['ada'], format: 'basic', type: 'xs:string' },
    ],
  },
  {
    provider: 'JumpCloud',
    source: 'https://jumpcloud.com/support/sso-application-connector-fields',
    nameId: { format: 'urn:oasis:names:tc:SAML:1.0:nameid-format:unspecified', value: EMAIL },
    attributes: [],
  },
  {
    provider: 'Auth0',
    source: 'https://auth0.com/docs/authenticate/protocols/saml/saml-configuration/saml-attribute-mapping-examples',
    nameId: { format: UNSPECIFIED, value: 'auth0|5f329b4f73edc1003d5f5d73' },
    attributes: [
      { name: `${CLAIMS}/nameidentifier`, values: ['auth0|5f329b4f73edc1003d5f5d73'], format: 'uri', type: 'xs:string' },
      { name: `${CLAIMS}/emailaddress`, values: [EMAIL], format: 'uri', type: 'xs:string' },
      { name: `${CLAIMS}/upn`, values: [EMAIL], format: 'uri', type: 'xs:string' },
      { name: 'http://schemas.auth0.com/identities/default/isSocial', values: ['false'], format: 'uri', type: 'xs:boolean' },
      { name: 'http://schemas.auth0.com/email_verified', values: ['true'], format: 'uri', type: 'xs:boolean' },
    ],
  },
  {
    provider: 'AD FS',
    source: 'https://learn.microsoft.com/windows-server/identity/ad-fs/operations/create-a-rule-to-send-ldap-attributes-as-claims',
    nameId: { format: UNSPECIFIED, value: 'CORP\\ada' },
    attributes: [
      { name: `${CLAIMS}/upn`, values: ['ada@corp.local'] },
      { name: `${CLAIMS}/emailaddress`, values: [EMAIL] },
      { name: 'http://schemas.xmlsoap.org/claims/Group', values: ['Domain Users', 'Sales'] },
    ],
  },
  {
    provider: 'AD FS with claims of its first version',
    source: 'https://learn.microsoft.com/windows-server/identity/ad-fs/operations/create-a-rule-to-send-an-ad-fs-1.x-compatible-claim',
    nameId: { format: UNSPECIFIED, value: 'CORP\\grace' },
    attributes: [{ name: 'http://schemas.xmlsoap.org/claims/EmailAddress', values: [EMAIL] }],
  },
  {
    provider: 'Shibboleth with several emails',
    source: 'https://spaces.at.internet2.edu/plugins/viewsource/viewpagesrc.action?pageId=49318270',
    nameId: { format: PERSISTENT, value: 'bd09168cf0c2e675b2def0ade6f50b7d4bb4aae' },
    attributes: [
      {
        name: 'urn:oid:0.9.2342.19200300.100.1.3',
        values: ['ada@alumni.example', EMAIL],
        format: 'uri',
        friendlyName: 'mail',
      },
    ],
  },
  {
    provider: 'a federation that keeps the names of SAML 1',
    source: 'https://wiki.surfnet.nl/pages/diffpagesbyversion.action?pageId=10125863&selectedPageVersions=78&selectedPageVersions=79',
    nameId: { format: PERSISTENT, value: 'c74f1cd9cf9b2f6ce1d4b6f8e6b3a8a3f5d0' },
    attributes: [{ name: 'urn:mace:dir:attribute-def:mail', values: [EMAIL], format: 'uri', type: 'xs:string' }],
  },
  {
    provider: 'Salesforce',
    source: 'https://github.com/fleetdm/fleet/blob/main/server/sso/authorization_response_test.go',
    nameId: { format: UNSPECIFIED, value: 'ada@sales.orbit.example.login' },
    attributes: [
      { name: 'userId', values: ['0056A000000Q6Rl'], format: 'unspecified', type: 'xs:anyType' },
      { name: 'username', values: ['ada@sales.orbit.example.login'], format: 'unspecified', type: 'xs:anyType' },
      { name: 'email', values: [EMAIL], format: 'unspecified', type: 'xs:anyType' },
    ],
  },
  {
    provider: 'IAM Identity Center',
    source: 'https://docs.aws.amazon.com/singlesignon/latest/userguide/mapawsssoattributestoapp.html',
    nameId: { format: EMAIL_ADDRESS, value: EMAIL },
    attributes: [],
  },
  {
    provider: 'Ping with an attribute of its own',
    source: 'https://docs.pingidentity.com/r/en-us/pingone/p1_t_editsamlattributemapping',
    nameId: { format: PERSISTENT, value: '6f1c1d5e-0f0a-4c0e-9c1f-2f6c0c8a5a11' },
    attributes: [
      { name: 'mail', values: ['old@elsewhere.example'], format: 'unspecified', type: 'xs:string' },
      { name: 'workEmail', values: [EMAIL], format: 'unspecified', type: 'xs:string' },
    ],
    emailAttribute: 'WORKEMAIL',
  },
  {
    provider: 'a provider that leaves the format of the name id out',
    source: 'https://docs.oasis-open.org/security/saml/v2.0/saml-core-2.0-os.pdf (2.2.2, 8.3.1)',
    nameId: { format: null, value: EMAIL },
    attributes: [],
  },
]
