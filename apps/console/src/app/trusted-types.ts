interface Factory {
  createPolicy(name: string, rules: { createHTML: (html: string) => string | null }): unknown;
}

/**
 * React Aria empties the element of its announcements by `innerHTML = ''`, as number fields and combo boxes do. Trusted Types refuse
 * that without a default policy. This one allows the empty text alone.
 */
export function allowEmptyHtml(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  trustedTypes?.createPolicy('default', { createHTML: (html) => (html === '' ? '' : null) });
}
