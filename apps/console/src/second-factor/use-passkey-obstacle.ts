import { useQuery } from '@tanstack/react-query';
import { parlance } from '../session/parlance.ts';
import { signInOptionsQuery } from '../session/sign-in-options.ts';
import { type PasskeyObstacle, passkeyObstacle } from './passkey-obstacle.ts';
import { knowsPasskeys } from './passkeys.ts';

/** Why no passkey can be added here; null if one can. Undefined until the server has answered. */
export const usePasskeyObstacle = (): PasskeyObstacle | null | undefined => {
  const options = useQuery(signInOptionsQuery(parlance)).data;
  return options && passkeyObstacle({ server: options.passkeys, isSecure: globalThis.isSecureContext, browser: knowsPasskeys() });
};
