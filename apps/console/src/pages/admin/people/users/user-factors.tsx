import { useQuery } from '@tanstack/react-query';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { formatTime } from '../../../../messages/format.ts';
import { Section } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { userFactorsQuery } from '../queries.ts';

/** The kinds and times of the second factors of a user, for example before they are reset. */
export function UserFactors({ userId }: { readonly userId: string }) {
  const { users: texts } = useAdminMessages().admin.people;
  const query = useQuery(userFactorsQuery(userId));
  const timeOf = (time: number | null) => (time === null ? null : formatTime(time));
  return (
    <Section title={texts.factors}>
      <Loaded query={query}>
        {({ factors, recovery_codes_left, required }) => (
          <ul aria-label={texts.factors} className="flex flex-col gap-2 text-sm">
            {required && <li>{texts.factorsNeeded}</li>}
            {factors.length === 0 && <li>{texts.noFactors}</li>}
            {factors.map(({ kind, create_time, last_used_time }, index) => (
              <li key={index}>
                {texts.factorKinds[kind]}{' '}
                <span className="text-muted">{texts.factorTimes(formatTime(create_time), timeOf(last_used_time))}</span>
              </li>
            ))}
            {factors.length > 0 && <li>{texts.codesLeft(recovery_codes_left)}</li>}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
