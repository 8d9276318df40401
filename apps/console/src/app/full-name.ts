const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

interface Names {
  readonly first_name: string;
  readonly last_name: string;
}

/** Chinese, Japanese and Korean names begin with the family name, whatever the language of the reader. The services have the same rule. */
export const fullName = ({ first_name: first, last_name: last }: Names): string =>
  EAST_ASIAN.test(first + last) ? last + first : `${first} ${last}`.trim();
