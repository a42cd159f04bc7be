// What a script adds. Every page can be read without it.
import { link } from "./bytes.js";
import { complete } from "./complete.js";
import { copies } from "./copy.js";
import { exchange, exchanges } from "./exchanges.js";
import { panels } from "./panels.js";
import { parts } from "./parts.js";
import { partition } from "./partition.js";

document.querySelectorAll("#rows").forEach(exchanges);
document.querySelectorAll('[data-place="exchange"]').forEach(exchange);
document.querySelectorAll("[data-copy]").forEach(copies);
document.querySelectorAll("[data-panels]").forEach(panels);
document.querySelectorAll(".frame").forEach(link);
document.querySelectorAll("#where").forEach(complete);
parts(document.body);
document.querySelectorAll("[data-life]").forEach(partition);
