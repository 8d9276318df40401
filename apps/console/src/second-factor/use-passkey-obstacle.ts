import { useQuery } from '@tanstack/react-query';
import { parlance } from '../session/parlance.ts';
import { signInOptionsQuery } from '../session/sign-in-options.ts';
import { knowsPasskeys } from './passkeys.ts';

/** Whether passkeys can be made and used here. The server needs a host name for them. */
export const usePasskeysAllowed = (): boolean => {
  const options = useQuery(signInOptionsQuery(parlance)).data;
  return options?.passkeys === true && knowsPasskeys();
};
