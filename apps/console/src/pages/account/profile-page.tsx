import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { fullName } from '../../app/full-name.ts';
import { chooseTheme, chosenTheme, type Theme } from '../../app/theme.ts';
import { formatList, formatDate } from '../../messages/format.ts';
import { useAccountMessages } from '../../messages/account-messages.ts';
import { useMe } from '../../session/use-me.ts';
import { Section } from '../../ui/page.tsx';
import { Tag } from '../../ui/tag.tsx';
import { AccountFrame } from './account-frame.tsx';
import { FormatsSection } from './formats-section.tsx';
import { NotificationMails } from './notification-mails.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';

export function ProfilePage() {
  const account = useAccountMessages();
  return (
    <AccountFrame>
      <Profile />
      <Section title={account.appearance} description={account.appearanceText}>
        <ThemeChoice />
      </Section>
      <FormatsSection />
      <NotificationMails />
      <Section title={account.password} description={account.passwordText}>
        <PasswordForm />
      </Section>
      <SecondFactorSection />
    </AccountFrame>
  );
}

function Profile() {
  const account = useAccountMessages();
  const me = useMe();
  const { email, email_verified, groups, create_time } = me;
  const facts = [
    [account.name, fullName(me)],
    [
      account.email,
      <span key="email" className="flex flex-wrap items-center gap-2">
        {email} <Tag tone={email_verified ? 'ok' : 'neutral'}>{email_verified ? account.verified : account.notVerified}</Tag>
      </span>,
    ],
    [account.groups, groups.length === 0 ? account.noGroups : formatList(groups)],
    [account.since, formatDate(create_time)],
  ] as const;
  return (
    <Section title={account.profile} description={account.profileText}>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[max-content_1fr]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted max-sm:-mb-3">{name}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

function ThemeChoice() {
  const account = useAccountMessages();
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (chosen: string) => {
    chooseTheme(chosen as Theme);
    setTheme(chosen as Theme);
  };
  return (
    <RadioGroup value={theme} onChange={choose} className="flex flex-col gap-1" orientation="horizontal">
      <Label className="text-xs font-medium">{account.theme}</Label>
      <div className="flex flex-wrap gap-2">
        {THEMES.map((each) => (
          <Radio
            key={each}
            value={each}
            className="inline-flex min-h-9 cursor-pointer items-center rounded-sm border border-control bg-raised px-3.5 text-sm hover:bg-surface data-[focus-visible]:outline-2 data-[focus-visible]:outline-accent data-[selected]:border-accent data-[selected]:bg-accent-soft data-[selected]:font-medium data-[selected]:text-accent max-sm:min-h-11"
          >
            {account.themes[each]}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
