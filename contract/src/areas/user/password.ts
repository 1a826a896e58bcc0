import { Type } from 'typebox'
import { endpoint } from '../../kit/http/endpoint.ts'

export const password = {
  change: endpoint({
    method: 'POST',
    path: '/v1/ec/password',
    access: 'customer',
    summary: "Change the signed-in user's password; ends the user's other sessions",
    notForSupport: 'A support session cannot change the password.',
    body: Type.Object(
      { oldPassword: Type.String({ minLength: 1, maxLength: 4_096 }), newPassword: Type.String({ minLength: 1, maxLength: 4_096 }) },
      { additionalProperties: false },
    ),
    response: null,
  }),
  reset: endpoint({
    method: 'POST',
    path: '/v1/ec/password-reset',
    access: 'public',
    summary: "Set a new password with the token of a mailed link; ends all of the user's sessions",
    body: Type.Object(
      {
        token: Type.String({ minLength: 1, maxLength: 512, description: 'The last part of the address of the link' }),
        password: Type.String({ minLength: 1, maxLength: 4_096 }),
      },
      { additionalProperties: false },
    ),
    response: null,
  }),
  linkOwner: endpoint({
    method: 'POST',
    path: '/v1/ec/password-link',
    access: 'public',
    summary: 'Say for whom a mailed link sets a password, without using it',
    body: Type.Object(
      {
        token: Type.String({ minLength: 1, maxLength: 512, description: 'The last part of the address of the link' }),
        purpose: Type.Union([Type.Literal('reset'), Type.Literal('registration')]),
      },
      { additionalProperties: false },
    ),
    response: Type.Object({ username: Type.String(), resellerName: Type.String(), brandId: Type.Integer() }),
  }),
}
