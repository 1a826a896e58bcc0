import { toLegibleColour } from '../documents/pdf/canvas/print-colour.ts'

/** The content of a mail, independent of text or HTML. */
export interface MailContent {
  readonly subject: string
  readonly greeting: string
  readonly intro: readonly string[]
  /** The call to action; null where there is nothing to open. */
  readonly action: { readonly label: string; readonly address: string } | null
  readonly closing: readonly string[]
}

/** The sender that a mail shows. */
export interface Sender {
  readonly name: string
  /** The footer: the legal name and the contact details. */
  readonly lines: readonly string[]
  readonly colour2: string
  readonly colour3: string
}

/** The plain text version of a mail. */
export const toText = ({ greeting, intro, action, closing }: MailContent, { lines }: Sender): string =>
  [greeting, ...intro, ...(action === null ? [] : [`${action.label}:\n${action.address}`]), ...closing, `-- \n${lines.join('\n')}`].join(
    '\n\n',
  )

/** The HTML version of a mail: table layout for all mail clients, in the brand's colours darkened until they are legible. */
export const toHtml = (content: MailContent, sender: Sender): string => {
  const { subject, greeting, intro, action, closing } = content
  const primaryColour = toLegibleColour(sender.colour2)
  const textColour = toLegibleColour(sender.colour3)
  const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f4f6f8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f6f8">
<tr><td align="center" style="padding:24px 12px;word-break:break-word;overflow-wrap:anywhere">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border-top:4px solid ${primaryColour}">
<tr><td style="padding:32px 28px 16px;font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:24px;color:${textColour};text-align:left">
<p style="margin:0 0 24px;font-size:18px;font-weight:bold;color:${primaryColour}">${escapeHtml(sender.name)}</p>
${paragraph(greeting)}
${intro.map(paragraph).join('\n')}
${action === null ? '' : buttonHtml(action, primaryColour)}
${closing.map(paragraph).join('\n')}
${action === null ? '' : addressHtml(action, primaryColour)}
</td></tr>
<tr><td style="padding:16px 28px 24px;border-top:1px solid #dde2e7;font-family:Helvetica,Arial,sans-serif;font-size:13px;line-height:20px;color:#5b6470;text-align:left">
${sender.lines.map(escapeHtml).join('<br>')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

type Action = NonNullable<MailContent['action']>

/** The link of a mail as a button. */
const buttonHtml = ({ label, address }: Action, colour: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td style="background:${colour};border-radius:8px"><a href="${escapeHtml(address)}" style="display:inline-block;padding:12px 24px;font-weight:bold;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`

/** The link's address in clear, for mail clients in which the button does not work. */
const addressHtml = ({ address }: Action, colour: string): string =>
  `<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:#5b6470">If the button does not work, open this address:<br><a href="${escapeHtml(address)}" style="color:${colour};word-break:break-all">${escapeHtml(address)}</a></p>`

const HTML_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for the content and the quoted attributes of HTML. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (content) => HTML_ESCAPES[content] ?? content)
