// What a script adds. Every page can be read without it.
import { link } from "./bytes.js";
import { complete } from "./complete.js";
import { follow } from "./follow.js";
import { panels } from "./panels.js";
import { parts } from "./parts.js";
import { partition } from "./partition.js";

document.querySelectorAll("[data-live]").forEach(follow);
document.querySelectorAll("[data-panels]").forEach(panels);
document.querySelectorAll(".frame").forEach(link);
document.querySelectorAll("#where").forEach(complete);
parts(document.body);
document.querySelectorAll("[data-life]").forEach(partition);
