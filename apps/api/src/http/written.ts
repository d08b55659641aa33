/** What a handler returns that has written its response by itself: a file, or a part of one. It takes `@Res()` for that. */
export class Written {}
