/** Places that are no page of this portal, in the spellings that have fooled others. */
export const ELSEWHERE = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https://evil.example/dashboard',
  'http:evil.example',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,hello',
  '/%2F/evil.example',
  '/%5Cevil.example',
  '/\t/evil.example',
  '/..//evil.example',
  'dashboard',
  '/login',
  '/logout',
] as const
