import type { fields as English } from '../en/fields.ts';
import { formatNumber } from '../format.ts';
import { plural } from '../plural.ts';

/** Why the server has refused the value of a field. */
export const fields: typeof English = {
  missing: '필수 입력 항목입니다.',
  onlySpaces: '공백만 입력할 수 없습니다.',
  lengthBetween: (min, max) => `${formatNumber(min)}~${formatNumber(max)}자로 입력하세요.`,
  lengthAtLeast: (min) => plural(min, { other: '{n}자 이상 입력하세요.' }),
  lengthAtMost: (max) => plural(max, { other: '{n}자 이하로 입력하세요.' }),
  atLeast: (min) => `${formatNumber(min)} 이상의 값을 입력하세요.`,
  atMost: (max) => `${formatNumber(max)} 이하의 값을 입력하세요.`,
  integer: '정수를 입력하세요.',
  number: '숫자를 입력하세요.',
  email: '이메일 주소를 입력하세요.',
  other: (reason) => `올바르지 않은 값입니다: ${reason}`,
};
