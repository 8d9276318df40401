import { useQuery } from '@tanstack/react-query';
import { useSecondFactorMessages } from '../messages/second-factor-messages.ts';
import { parlance } from '../session/parlance.ts';
import { providerAddress } from '../session/provider-address.ts';
import { signInOptionsQuery } from '../session/sign-in-options.ts';
import { buttonLook } from '../ui/button.tsx';

/** For users without a password: links to their identity providers, to sign in again before the first second factor is added. */
export function FreshSignIn({ next }: { readonly next: string }) {
  const texts = useSecondFactorMessages();
  const options = useQuery(signInOptionsQuery(parlance)).data;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>{texts.freshSignInText}</p>
      {options?.providers.map(({ id, name, start_url }) => (
        <a key={id} href={providerAddress(start_url, next, { isFresh: true })} className={`${buttonLook('secondary')} self-start`}>
          {texts.freshSignIn(name)}
        </a>
      ))}
    </div>
  );
}
