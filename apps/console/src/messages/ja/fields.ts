import type { fields as English } from '../en/fields.ts';
import { formatNumber } from '../format.ts';
import { plural } from '../plural.ts';

/** Why the server has refused the value of a field. */
export const fields: typeof English = {
  missing: 'この項目は必須です。',
  onlySpaces: '空白以外の文字を入力してください。',
  lengthBetween: (min, max) => `${formatNumber(min)}～${formatNumber(max)} 文字で入力してください。`,
  lengthAtLeast: (min) => plural(min, { other: '{n} 文字以上で入力してください。' }),
  lengthAtMost: (max) => plural(max, { other: '{n} 文字以内で入力してください。' }),
  atLeast: (min) => `${formatNumber(min)} 以上の値を入力してください。`,
  atMost: (max) => `${formatNumber(max)} 以下の値を入力してください。`,
  integer: '整数を入力してください。',
  number: '数値を入力してください。',
  email: 'メールアドレスを入力してください。',
  other: (reason) => `この値は使用できません: ${reason}`,
};
