interface Factory {
  createPolicy(name: string, rules: { createHTML: (html: string) => string | null }): unknown;
}

/**
 * React Aria clears its announcements with `innerHTML = ''`, for example in number fields and combo boxes. Trusted Types forbid that
 * without a default policy. This policy allows only the empty string.
 */
export function allowEmptyHtml(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  trustedTypes?.createPolicy('default', { createHTML: (html) => (html === '' ? '' : null) });
}
