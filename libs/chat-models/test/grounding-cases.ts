/** Answers to questions about these texts: supported and unsupported ones. */
export interface GroundingCase {
  readonly texts: readonly string[];
  readonly question: string;
  readonly grounded: readonly string[];
  readonly ungrounded: readonly string[];
}

export const GROUNDING_CASES: readonly GroundingCase[] = [
  {
    texts: [
      'Refunds. A refund takes fourteen days from the day on which we receive the goods. Gift cards are not refunded. Shipping costs are refunded only if the goods were damaged.',
      'Customers send returned goods to the warehouse in Leipzig. Each parcel needs the printed return label.',
    ],
    question: 'How long does a refund take?',
    grounded: [
      'A refund takes 14 days after we receive the goods.',
      'It takes fourteen days from the day the goods are received [^1]. Gift cards are not refunded [^1].',
      'Please send the goods to the warehouse in Leipzig, with the printed return label.',
      'Shipping costs are only refunded if goods were damaged.',
    ],
    ungrounded: [
      'A refund takes 30 days after we receive the goods.',
      'Gift cards are refunded.',
      'You get your money back within a week by bank transfer, and a voucher of ten euros.',
      'Returned goods are sent to the shop in Hamburg, where an employee inspects them.',
    ],
  },
  {
    texts: [
      'The library is open from Monday to Friday between 9:00 and 18:00. It is closed on public holidays. Members may borrow up to 12 books for 28 days. A late book costs 0.50 euros for each day.',
      "Children under 14 don't need a membership card. Dogs are not allowed in the reading room.",
    ],
    question: 'When is the library open, and how many books can members borrow?',
    grounded: [
      'The library is open Monday to Friday, 9:00 to 18:00. Members may borrow 12 books for 28 days.',
      'Late books cost 0.5 euros per day.',
      'A membership card is not needed by children under 14.',
      '- Open from Monday to Friday\n- Closed on public holidays',
    ],
    ungrounded: [
      'The library is open on Saturdays as well, from 10:00 to 14:00.',
      'Members may borrow 20 books for 28 days.',
      'Dogs are allowed in the reading room.',
      'The library was founded by a rich merchant in the nineteenth century and has two million volumes.',
    ],
  },
  {
    texts: [
      'Die Maschine wird alle 500 Betriebsstunden gewartet. Das Öl muss dabei gewechselt werden. Der Filter wird nicht gereinigt, sondern ersetzt. Vor der Wartung ist der Hauptschalter auszuschalten.',
    ],
    question: 'Wie oft wird die Maschine gewartet?',
    grounded: [
      'Die Maschine wird alle 500 Betriebsstunden gewartet, und das Öl wird dabei gewechselt.',
      'Vor der Wartung muss der Hauptschalter ausgeschaltet werden.',
      'Der Filter wird nicht gereinigt.',
    ],
    ungrounded: [
      'Die Maschine wird alle 200 Betriebsstunden gewartet.',
      'Der Filter wird gereinigt.',
      'Die Wartung darf nur ein geschulter Techniker des Herstellers durchführen, sonst erlischt die Garantie.',
    ],
  },
  {
    texts: [
      'The night train to Malmö leaves Berlin at 20:52 and arrives at 8:10. It has sleeping cars and couchettes. Bicycles cannot be taken on this train. A bed in a sleeping car costs 89 euros, a couchette 49 euros.',
      'Tickets can be changed until two hours before departure, without a fee.',
    ],
    question: 'What does a bed in the night train to Malmö cost?',
    grounded: [
      'A bed in a sleeping car costs 89 euros; a couchette costs 49 euros.',
      'The night train leaves Berlin at 20:52 and arrives in Malmö at 8:10.',
      'Tickets can be changed without a fee until 2 hours before departure.',
      'Bicycles cannot be taken.',
    ],
    ungrounded: [
      'A bed in a sleeping car costs 120 euros.',
      'Bicycles can be taken on this train.',
      'Passengers get a free breakfast in the restaurant car before the ferry crossing.',
      'Tickets cannot be changed before departure.',
    ],
  },
  {
    texts: [
      'Le contrat dure douze mois. Il est renouvelé automatiquement. Le client peut résilier avec un préavis de trois mois. Les frais de dossier ne sont pas remboursés.',
    ],
    question: 'Quelle est la durée du contrat ?',
    grounded: ['Le contrat dure douze mois et il est renouvelé automatiquement.', 'Les frais de dossier ne sont pas remboursés.'],
    ungrounded: ['Les frais de dossier sont remboursés.', 'Le contrat est signé devant un notaire à Paris en présence de deux témoins.'],
  },
  {
    texts: [
      'The API accepts at most 1,000 requests per minute for each key. Further requests are answered with the status 429 and a Retry-After header. Keys expire after 90 days unless they are renewed.',
    ],
    question: 'How many requests does the API accept?',
    grounded: [
      'At most 1000 requests per minute are accepted for each key.',
      'Further requests get the status 429 with a Retry-After header.',
      'Keys expire after 90 days unless renewed.',
    ],
    ungrounded: [
      'At most 10,000 requests per minute are accepted for each key.',
      'Keys never expire.',
      'Requests are load balanced over three regions, and premium customers have a dedicated cluster.',
    ],
  },
  {
    texts: ['返金には14日かかります。ギフトカードは返金されません。', '図書館は月曜日から金曜日まで開いています。'],
    question: '返金には何日かかりますか。',
    grounded: ['返金には14日かかります。', 'ギフトカードは返金されません。'],
    ungrounded: ['返金には30日かかります。', '返金は銀行口座に振り込まれ、手数料は無料です。'],
  },
];

/** Written after the check was finished: paraphrases, swapped names, and statements that are half right. */
export const HARD_CASES: readonly GroundingCase[] = [
  {
    texts: [
      'Acme Ltd acquired Brixton Foods in March 2021 for 40 million dollars. Brixton Foods makes frozen vegetables in two plants in Kent and employs 320 people.',
      'Before the acquisition, Brixton Foods belonged to the Holm family. Acme kept the management of Brixton Foods in place.',
    ],
    question: 'Who bought Brixton Foods?',
    grounded: [
      'Acme Ltd acquired Brixton Foods in March 2021.',
      'Brixton Foods was bought by Acme for 40 million dollars. Previously it belonged to the Holm family.',
      'Acme did, and left the management in place.',
      'The company has 320 employees and makes frozen vegetables at two plants in Kent.',
    ],
    ungrounded: [
      'Brixton Foods acquired Acme Ltd in March 2021.',
      'Acme replaced the management of Brixton Foods after the acquisition.',
      'Acme Ltd acquired Brixton Foods in May 2021.',
      'The Holm family founded Brixton Foods in a garage and sold it because of debts.',
    ],
  },
  {
    texts: [
      'To reset the router, hold the button on its back for ten seconds until the light blinks red. All settings are lost. Afterwards, connect to the network "setup" and open the address 192.168.1.1 in a browser.',
      'The firmware is updated automatically at night. An update takes about five minutes, during which there is no connection.',
    ],
    question: 'How do I reset the router?',
    grounded: [
      '1. Hold the button on the back for 10 seconds until the light blinks red.\n2. Connect to the network "setup".\n3. Open 192.168.1.1 in a browser.',
      'You lose all settings when you reset the router.',
      'During an update, which takes about 5 minutes, the router has no connection.',
      'Press and keep pressing the rear button for ten seconds.',
    ],
    ungrounded: [
      'Hold the button for ten seconds until the light blinks green.',
      'Your settings are kept.',
      'Open the app on your phone and choose "factory reset" in the menu.',
      'The firmware has to be updated by hand every month.',
    ],
  },
  {
    texts: [
      'Employees have 28 days of paid leave each year. Up to five days may be carried over into the next year and must be taken by 31 March. Leave of more than two weeks needs the approval of the head of department. Part-time employees have a proportional claim.',
    ],
    question: 'How much paid leave do employees have, and can it be carried over?',
    grounded: [
      'Employees have 28 days of paid leave per year, of which up to five may be carried over until 31 March.',
      'Leave longer than two weeks needs approval by the head of department.',
      'Part-timers get a proportional share.',
    ],
    ungrounded: [
      'Employees have 28 days of paid leave per year, and unused days are paid out in December.',
      'Leave longer than two weeks needs the approval of the works council.',
      'Up to ten days may be carried over.',
    ],
  },
];
