import { expect, it } from '@jest/globals';
import { fullName } from './full-name.ts';

it.each([
  ['Ann', 'Archer', 'Ann Archer'],
  ['Ann', '', 'Ann'],
  ['小明', '王', '王小明'],
  ['민수', '김', '김민수'],
  ['Taro', 'Yamada', 'Taro Yamada'],
])('the full name of %s and %s is in the order of its script', (first_name, last_name, name) => {
  expect(fullName({ first_name, last_name })).toBe(name);
});
