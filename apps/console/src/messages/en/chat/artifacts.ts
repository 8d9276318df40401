/** Texts of what is shown beside a chat. */
export const artifacts = {
  webPage: 'Web page',
  document: 'Document',
  preview: 'Preview',
  version: (at: number, of: number) => `Version ${at} of ${of}`,
  unfinished: 'The preview appears when the code is complete.',
};
