import { account } from './en/account.ts';
import { groupOf, hookOf } from './index.ts';

/** Loaded with the first page of the account. */
export const useAccountMessages = hookOf('account', account);
/** For code outside of components. */
export const accountMessages = groupOf('account', account);
export type AccountMessages = typeof account;
