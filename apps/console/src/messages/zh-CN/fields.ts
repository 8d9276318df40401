import type { fields as English } from '../en/fields.ts';
import { formatNumber } from '../format.ts';
import { plural } from '../plural.ts';

export const fields: typeof English = {
  missing: '此字段为必填项。',
  onlySpaces: '不能只输入空格。',
  lengthBetween: (min, max) => `请输入 ${formatNumber(min)} 到 ${formatNumber(max)} 个字符。`,
  lengthAtLeast: (min) => plural(min, { other: '请至少输入 {n} 个字符。' }),
  lengthAtMost: (max) => plural(max, { other: '最多可输入 {n} 个字符。' }),
  atLeast: (min) => `请输入不小于 ${formatNumber(min)} 的数字。`,
  atMost: (max) => `请输入不大于 ${formatNumber(max)} 的数字。`,
  integer: '请输入整数。',
  number: '请输入数字。',
  email: '请输入邮箱地址。',
  other: (reason) => `此值无效：${reason}`,
};
