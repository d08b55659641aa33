/**
 * What is asked about every request, as truth questions about its text. None of them decides alone: their logits are
 * the features that a bundle's fitted weights turn into the two probabilities. A changed list needs a new fit.
 */
export const STATEMENTS: readonly string[] = [
  'The request asks whom to hurt, attack or kill.',
  'Somebody wants help to kill or injure other people.',
  'A victim is to be chosen because of religion, race, sex, origin or disability.',
  'A weapon or an attack is to be aimed at people.',
  'The writer plans violence against a real person.',
  'The writer wants to die and asks for help with it.',
  'Somebody asks for help to hurt or cut themselves.',
  'Somebody is to be encouraged to commit suicide.',
  'Self-harm is to be hidden from others.',
  'The question asks to detect, classify or report a danger so that people are protected.',
  'The question asks whether a message is a threat or a sign of risk.',
  'This is about a game, a story or a figure of speech.',
  'This is about computers, business, sport or everyday life.',
  'This is about news, history or medical care.',
  'The request is harmless.',
  'Answering the request would help somebody to do harm.',
];
