import { locale } from './locale.ts';

/** The form of a text for a number. `{n}` in it is replaced. */
export function plural(n: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }): string {
  const form = forms[new Intl.PluralRules(locale()).select(n)] ?? forms.other;
  return form.replaceAll('{n}', new Intl.NumberFormat(locale()).format(n));
}
