import { Type } from 'typebox'
import { endpoint } from '../kit/endpoint.ts'

export const password = {
  change: endpoint({
    method: 'POST',
    path: '/v1/ec/password',
    access: 'customer',
    summary: "Change the signed-in user's password; ends the user's other sessions",
    body: Type.Object(
      { oldPassword: Type.String({ minLength: 1, maxLength: 4_096 }), newPassword: Type.String({ minLength: 1, maxLength: 4_096 }) },
      { additionalProperties: false },
    ),
    reply: null,
  }),
}
