import { Type } from 'typebox'
import { endpoint } from '../kit/http/endpoint.ts'

export const registration = {
  finish: endpoint({
    method: 'POST',
    path: '/v1/ec/user-registration',
    access: 'public',
    summary: 'Choose the first password of an invited user, with the token of the mailed link',
    body: Type.Object(
      {
        token: Type.String({ minLength: 1, maxLength: 512, description: 'The last part of the address of the link' }),
        password: Type.String({ minLength: 1, maxLength: 4_096 }),
      },
      { additionalProperties: false },
    ),
    response: null,
  }),
}
