/**
 * What is asked about every request, as truth questions about its words. None of them decides alone: their logits are
 * the features that a bundle's fitted weights turn into the two probabilities. A changed list needs a new fit.
 */
export const STATEMENTS: readonly string[] = [
  'We want to kill them.',
  'Somebody wants help to kill or injure other people.',
  'A victim is to be chosen because of religion, race, sex, origin or disability.',
  'A weapon or an attack is to be aimed at people.',
  'I want to kill myself.',
  'Somebody asks for help to hurt or cut themselves.',
  'Somebody is to be encouraged to commit suicide.',
  'It is about suicide.',
  'The question asks whether a message is a threat or a sign of risk.',
  'This is about a game, a story or a figure of speech.',
  'This is about news, history or medical care.',
  'The text is offensive.',
  'The writer is angry.',
  'The request is harmless.',
];
